/** The answer to a write: what changed, what was composed because of it, and who serves it already. */
import { printableLine } from '@switchyard/service-kit/printable'
import type { CommandOutcome, CompositionReport } from '@switchyard/contracts'
import type { CommandResult } from './command-result.ts'
import { EXIT } from '../run/exit-codes.ts'
import type { ExitCode } from '../run/exit-codes.ts'
import { compositionAnnotations, warningAnnotations } from './annotations.ts'
import { printHints, warningsIn } from './composition-messages.ts'
import { failing, printFailures } from './failures.ts'
import { servedInstead } from './served-instead.ts'
import { printFlagCost } from './flag-cost.ts'
import { isLive, type RequiredRouters } from '../registry/required-routers.ts'
import type { ServedGraphs } from '../registry/served-graphs.ts'
import type { SchemaSources } from '../registry/schema-sources.ts'
import { failureStatus, statusLines } from './status-lines.ts'
import type { Style } from './style.ts'

/** How the outcome is judged, and what is needed to tell it. */
export type OutcomeOptions = {
  readonly requireComposed: boolean
  /** The number of routers that have to serve the result. Null if none has to. */
  readonly requireLive: RequiredRouters | null
  readonly waited: boolean
  /** Files of the schemas that are known here, by subgraph. */
  readonly sources: SchemaSources
  readonly served: ServedGraphs
  /** True if the command only chooses which revision is served. Unchanged compositions are then left out. */
  readonly choosesOnly: boolean
  /** The styles of stdout and of stderr. */
  readonly style: { readonly text: Style; readonly remarks: Style }
}

/** The result with its exit code: 4 when a composition fails because of the command. */
export function outcomeResult(outcome: CommandOutcome, options: OutcomeOptions): CommandResult {
  const { commandId, changed, sequence, message, warnings, pending, compositions, routers, flagCosts } =
    outcome
  const remarks = [
    ...warnings.map((text) => `${options.style.remarks.yellow('warning')}: ${printableLine(text)}`),
    ...remarksOn(compositions, options),
  ]
  return {
    exitCode: exitCodeOf(outcome, options),
    json: {
      result: { commandId, changed, sequence, message, warnings, pending, ...(flagCosts && { flagCosts }) },
      compositions,
      routers,
    },
    text: describe(outcome, options).join('\n'),
    remarks: remarks.join('\n'),
    annotations: [
      ...warningAnnotations(warnings),
      ...compositionAnnotations(
        compositions.filter(({ status }) => status === 'failed'),
        options.sources,
      ),
    ],
  }
}

function exitCodeOf(outcome: CommandOutcome, options: OutcomeOptions): ExitCode {
  const caused = outcome.compositions.some(({ status, failedBefore }) => status === 'failed' && !failedBefore)
  const isMissed = (options.requireComposed && outcome.pending) || isMissedByRouters(outcome, options)
  return caused || isMissed ? EXIT.compositionFailed : EXIT.done
}

function isMissedByRouters(outcome: CommandOutcome, { requireLive }: OutcomeOptions): boolean {
  return requireLive !== null && !isLive(outcome, requireLive)
}

function describe(outcome: CommandOutcome, options: OutcomeOptions): readonly string[] {
  const { message, pending, changed } = outcome
  const kept = changed ? 'the change is kept' : 'what was asked for is there already'
  const compositions = outcome.compositions.filter(
    ({ status }) => !options.choosesOnly || status !== 'unchanged',
  )
  const lines = [message, ...statusLines(compositions, (report) => statusOf(report, options.style.text))]
  if (pending) lines.push(pendingLine(outcome, kept, options.waited))
  if (!pending) lines.push(...liveness(outcome, options))
  lines.push(...(outcome.flagCosts ?? []).map(printFlagCost))
  if (isMissedByRouters(outcome, options)) {
    const required = options.requireLive === 'all' ? 'all routers' : `${options.requireLive} routers`
    lines.push(
      `${kept[0]?.toUpperCase()}${kept.slice(1)}, and is not live as required: --require-live asks for ${required}.`,
    )
  }
  return lines
}

/** Says that the result is not there yet. Nothing is composed for a change of rollouts alone. */
function pendingLine({ affectedGraphs, rolloutGraphs = [] }: CommandOutcome, kept: string, waited: boolean) {
  if (rolloutGraphs.length > 0 && affectedGraphs.length === 0) {
    return waited
      ? `Routers were not given it yet: ${kept}, and it is on its way (pending).`
      : 'Not waiting for routers to be given it.'
  }
  return waited
    ? `The compositions are not finished yet: ${kept}, and they go on (pending).`
    : 'Not waiting for the compositions that this may cause.'
}

/**
 * Says which routers serve the result. While a base fails, only removals and rollbacks take effect: then
 * "live on 2/2 routers" would promise too much, and silence too little.
 */
function liveness(
  { changed, compositions, namedGraphs = [], rolloutGraphs = [], routers }: CommandOutcome,
  { requireLive }: OutcomeOptions,
): readonly string[] {
  const share = `${routers.serving}/${routers.total} routers`
  if (compositions.some(isFailedBase)) {
    if (routers.total === 0) return []
    return [
      'The base graph does not compose: routers go on serving what composed last.',
      `Only removals and rollbacks take effect meanwhile (now on ${share}); everything else waits until the base graph composes again.`,
    ]
  }
  // Of a command that changed nothing the routers were looked at only where some are required.
  const wereAsked = !changed && requireLive !== null && namedGraphs.length > 0
  const isServed =
    rolloutGraphs.length > 0 ||
    compositions.some(({ status }) => status === 'composed' || status === 'unchanged')
  if (!isServed && !wereAsked) return []
  if (routers.total === 0) return ['No router serves it yet: none has reported for these graphs.']
  // Without a fleet key whoever may publish heartbeats decides both numbers.
  const live = `live on ${share}${routers.verified === true ? '' : ' (unverified)'}`
  return [routers.serving === 0 ? `No router serves it yet: ${live}` : live]
}

function isFailedBase({ featureFlag, status }: CompositionReport): boolean {
  return featureFlag === null && status === 'failed'
}

function statusOf(report: CompositionReport, style: Style): string {
  switch (report.status) {
    case 'composed':
      return style.green('composed')
    case 'unchanged':
      return report.isNew ? style.green('composed, as known from before') : 'unchanged'
    case 'empty':
      return style.yellow('nothing to compose yet')
    case 'failed':
      return failureStatus(report.failedBefore, style)
    default:
      return report.status satisfies never
  }
}

function remarksOn(
  compositions: readonly CompositionReport[],
  { served, sources, style: { remarks: style } }: OutcomeOptions,
): readonly string[] {
  const failed = compositions.filter(({ status }) => status === 'failed')
  const headOf = (report: CompositionReport, count: number) => {
    const reason = report.failedBefore
      ? `still ${count === 1 ? 'fails' : 'fail'} as before, not because of this command`
      : failing(count)
    return {
      before: `${report.failedBefore ? style.yellow('warning') : style.red('error')}: `,
      after: `${reason}${servedInstead(report, served)}`,
    }
  }
  const hints = compositions.map((report) => printHints(newHints(report, compositions), sources, style))
  return [
    ...printFailures(failed, { headOf, sources, style }),
    ...hints.map((lines) => lines.join('\n')).filter((text) => text !== ''),
  ]
}

/**
 * Every composition that fails, with its errors, where nobody asks who caused it; and the warnings of all of
 * them.
 */
export function describeCompositions(
  compositions: readonly CompositionReport[],
  sources: SchemaSources,
  style: Style,
  served: ServedGraphs,
): string {
  const texts = printFailures(
    compositions.filter(({ status }) => status === 'failed'),
    {
      headOf: (report, count) => ({
        before: `${style.red('error')}: `,
        after: `${failing(count)}${servedInstead(report, served)}`,
      }),
      sources,
      style,
    },
  )
  const warnings = new Map(
    compositions.flatMap(({ hints }) => warningsIn(hints)).map((hint) => [JSON.stringify(hint), hint]),
  )
  return [...texts, ...printHints([...warnings.values()], sources, style)].join('\n\n')
}

/** Returns the hints of a report without those that the base of its graph has too. */
function newHints(
  report: CompositionReport,
  compositions: readonly CompositionReport[],
): CompositionReport['hints'] {
  if (report.featureFlag === null) return report.hints
  const base = compositions.find(({ graph, featureFlag }) => graph === report.graph && featureFlag === null)
  const said = new Set(base?.hints.map((hint) => JSON.stringify(hint)))
  return report.hints.filter((hint) => !said.has(JSON.stringify(hint)))
}
