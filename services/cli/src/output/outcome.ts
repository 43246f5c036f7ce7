/** The answer to a write: what changed, what was composed because of it, and who serves it already. */
import type { CommandOutcome, CompositionReport } from '@switchyard/contracts'
import type { CommandResult } from '../command-result.ts'
import { EXIT } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { compositionAnnotations, warningAnnotations } from './annotations.ts'
import { compositionLabel } from './graph-variant.ts'
import type { Style } from './style.ts'

export type SchemaSources = ReadonlyMap<string, { readonly sdl: string; readonly file?: string }>

export type OutcomeOptions = {
  readonly requireComposed: boolean
  readonly waited: boolean
  /** Files of the schemas that are known here, by subgraph. */
  readonly sources: SchemaSources
  /** Of stdout and of stderr. */
  readonly style: { readonly text: Style; readonly remarks: Style }
}

export async function outcomeResult(
  outcome: CommandOutcome,
  options: OutcomeOptions,
): Promise<CommandResult> {
  const { commandId, changed, sequence, message, warnings, pending, compositions, routers } = outcome
  const remarks = [
    ...warnings.map((text) => `${options.style.remarks.yellow('warning')}: ${text}`),
    ...(
      await Promise.all(
        compositions.map((report) => remarksOn(report, servedInstead(report, compositions), options)),
      )
    ).filter((text) => text !== ''),
  ]
  return {
    exitCode: exitCodeOf(outcome, options),
    json: { result: { commandId, changed, sequence, message, warnings, pending }, compositions, routers },
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
  return caused || (options.requireComposed && outcome.pending) ? EXIT.compositionFailed : EXIT.done
}

function describe(outcome: CommandOutcome, options: OutcomeOptions): readonly string[] {
  const { message, compositions, pending, routers } = outcome
  const lines = [message]
  const labels = compositions.map(compositionLabel)
  const width = Math.max(0, ...labels.map((label) => label.length))
  for (const [index, report] of compositions.entries()) {
    lines.push(`  ${(labels[index] ?? '').padEnd(width)}  ${statusOf(report, options.style.text)}`)
  }
  if (pending) {
    lines.push(
      options.waited
        ? 'The compositions are not finished yet: the change is kept, and they go on (pending).'
        : 'Not waiting for the compositions that this may cause.',
    )
  }
  if (!pending && hasSomethingLive(compositions)) {
    lines.push(
      routers.total === 0
        ? 'No router has reported for these graphs yet.'
        : `live on ${routers.serving}/${routers.total} routers`,
    )
  }
  return lines
}

/** While a base fails nothing new goes out: "live on 2/2 routers" would be read as the opposite. */
function hasSomethingLive(compositions: readonly CompositionReport[]): boolean {
  return (
    !compositions.some(isFailedBase) &&
    compositions.some(({ status }) => status === 'composed' || status === 'unchanged')
  )
}

function isFailedBase({ featureFlag, status }: CompositionReport): boolean {
  return featureFlag === null && status === 'failed'
}

/** A flag that fails is taken off the routers at once, unless the base of its graph fails too: then nothing moves. */
function servedInstead(report: CompositionReport, compositions: readonly CompositionReport[]): string {
  const frozen = compositions.some((other) => other.graph === report.graph && isFailedBase(other))
  return report.featureFlag === null || frozen
    ? 'what was served before stays served'
    : 'requests that name the flag get the base graph'
}

function statusOf(report: CompositionReport, style: Style): string {
  switch (report.status) {
    case 'composed':
      return style.green('composed')
    case 'unchanged':
      return 'unchanged'
    case 'empty':
      return style.yellow('nothing to compose yet')
    case 'failed':
      return report.failedBefore ? style.yellow('failed before, unchanged') : style.red('failed')
    default:
      return report.status satisfies never
  }
}

async function remarksOn(
  report: CompositionReport,
  instead: string,
  options: OutcomeOptions,
): Promise<string> {
  const style = options.style.remarks
  const label = compositionLabel(report)
  const lines: string[] = []
  if (report.status === 'failed') {
    const word = report.failedBefore ? style.yellow('warning') : style.red('error')
    const reason = report.failedBefore
      ? 'still fails as before, not because of this command'
      : 'does not compose'
    lines.push(`${word}: ${label} ${reason}; ${instead}.`)
    lines.push(await printErrors(report.errors, options.sources))
    lines.push(...moreErrors(report))
  }
  for (const hint of report.hints) lines.push(`${style.dim('hint')} ${hint.code}: ${hint.message}`)
  return lines.filter((line) => line !== '').join('\n')
}

/** Every composition that fails, with its errors, where nobody asks who caused it. */
export async function describeFailures(
  compositions: readonly CompositionReport[],
  sources: SchemaSources,
  style: Style,
): Promise<string> {
  const texts = compositions
    .filter(({ status }) => status === 'failed')
    .map(async (report) => {
      const head = `${style.red('error')}: ${compositionLabel(report)} does not compose; ${servedInstead(report, compositions)}.`
      return [head, await printErrors(report.errors, sources), ...moreErrors(report)].join('\n')
    })
  return (await Promise.all(texts)).join('\n\n')
}

function moreErrors({ errors, errorCount }: CompositionReport): readonly string[] {
  return errorCount > errors.length ? [`… and ${errorCount - errors.length} more errors.`] : []
}

/** Loaded only when something failed: the composition library is most of this program's start-up time. */
async function printErrors(errors: CompositionReport['errors'], sources: SchemaSources): Promise<string> {
  const { printCompositionErrors } = await import('@switchyard/composition')
  return printCompositionErrors(errors, sources)
}
