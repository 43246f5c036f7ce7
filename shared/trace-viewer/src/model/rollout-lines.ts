/** Tells in sentences how rollouts decided about the request of a trace. */
import type { Trace, TraceRollout } from '@switchyard/request-trace'

/** A rollout, and what its conditions came to. */
export type RolloutLines = { readonly line: string; readonly conditions: readonly string[] }

const OUTCOMES = {
  inside: 'it gave its flag',
  control: 'outside, so base answered',
  'other-audience': 'not for this request, since a condition does not hold',
  'no-key': 'not for this request, which has none of its keys',
  expired: 'expired',
  'unknown-flag': 'the config has no such flag',
  'not-serving': 'it serves nobody',
  keyless: 'it has a percentage and no key',
  'not-understood': 'the router does not understand it, so base answered',
} as const

/** Returns the rollouts of a trace in their order. */
export function rolloutLines({ rollouts = [] }: Pick<Trace, 'rollouts'>): readonly RolloutLines[] {
  return rollouts.map((rollout) => ({
    line: `${rollout.name} (flag ${rollout.flag}, ${rollout.percent} %): ${OUTCOMES[rollout.outcome]}${keyText(rollout)}`,
    conditions: (rollout.conditions ?? []).map(conditionLine),
  }))
}

function keyText({ key }: TraceRollout): string {
  return key === undefined ? '' : `; bucket ${key.bucket} of ${key.source} ${key.value}`
}

function conditionLine({
  on,
  test,
  not,
  seen,
  holds,
  problem,
}: NonNullable<TraceRollout['conditions']>[number]): string {
  const outcome =
    problem === true ? 'not understood, so it holds for nobody' : holds ? 'holds' : 'does not hold'
  const values =
    seen === undefined ? 'the request has none' : `the request has ${seen.join(', ') || 'no value'}`
  return `${on} ${not === true ? 'not ' : ''}${test}: ${outcome} (${values})`
}
