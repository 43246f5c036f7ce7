/** Tells in sentences which composition answered the request of a trace, for whom, and why. */
import type { Trace, TraceRollout } from '@switchyard/request-trace'
import { conditionText, decisionText, outcomeText, rolloutTitle } from '@switchyard/rollouts/sentences'

/** A rollout, and what its conditions came to. */
export type RolloutLines = { readonly line: string; readonly conditions: readonly string[] }

/** Returns the rollouts of a trace in their order. */
export function rolloutLines({ rollouts = [] }: Pick<Trace, 'rollouts'>): readonly RolloutLines[] {
  return rollouts.map((rollout) => ({
    line: `${rolloutTitle(rollout)}: ${outcomeText({ ...rollout, key: keyOf(rollout) })}`,
    conditions: (rollout.conditions ?? []).map(conditionLine),
  }))
}

function keyOf({ key }: TraceRollout) {
  return key === undefined ? null : { source: key.source, text: key.value, bucket: key.bucket }
}

function conditionLine({
  on,
  test,
  not,
  seen,
  holds,
  problem,
}: NonNullable<TraceRollout['conditions']>[number]): string {
  // What a condition compares with is in no trace.
  const text = `${on} ${not === true ? 'not ' : ''}${test}${test === 'exists' ? '' : ' …'}`
  return conditionText({
    text,
    seen: seen ?? null,
    holds,
    problem: problem === true ? 'not understood, so it holds for nobody' : null,
  })
}

const NOT_READY = 'Its composition cannot answer at the moment, so the base graph does.'
const NAMED = {
  header: 'a header',
  cookie: 'a cookie',
} as const

/** Says in one or two sentences why the composition answered. */
export function whyChosen({ composition, rollouts = [] }: Pick<Trace, 'composition' | 'rollouts'>): string {
  const { reason, feature_flag: flag } = composition
  switch (reason) {
    case 'header':
    case 'cookie':
      return `Feature flag "${flag ?? ''}" is named in ${NAMED[reason]}, so no rollout decides.`
    case 'unknown':
      return 'A feature flag is named that this graph does not have, so the base graph answers.'
    case 'not-served':
      return 'A feature flag is named that is not served, so the base graph answers.'
    case 'rollout-not-ready':
      return `${decisionText(rollouts.at(-1))} ${NOT_READY}`
    default:
      return decisionText(rollouts.at(-1))
  }
}

/** Says who stood in where the composition was chosen; null if nobody did. */
export function standInText({ stand_in: standIn }: Pick<Trace, 'stand_in'>): string | null {
  if (standIn === undefined) return null
  const { claims, headers, overruled } = standIn
  const parts = [
    ...(claims === undefined
      ? []
      : [
          listed(
            'claims',
            claims.map(({ name, value }) => [name, value]),
          ),
        ]),
    ...(headers === undefined ? [] : [listed('headers', Object.entries(headers))]),
  ]
  const who = parts.length === 0 ? 'with nothing of its own' : `with ${parts.join(', and with ')}`
  return overruled === true
    ? `Another user was to be tried, ${who}. The request itself names a feature flag, which wins.`
    : `Chosen for another user, ${who}. All else goes by the request itself.`
}

function listed(what: string, entries: readonly (readonly [string, string | readonly string[]])[]): string {
  if (entries.length === 0) return `no ${what}`
  return `the ${what} ${entries.map(([name, value]) => `${name}: ${String(value)}`).join(', ')}`
}
