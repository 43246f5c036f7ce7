/** Compares the plans of operations on a flag with those on base of the same revision. */
import { printableLine } from '@switchyard/service-kit/printable'
import type { CommandResult } from '../output/command-result.ts'
import { startProgress } from '../output/progress.ts'
import { type Style, styleFor } from '../output/style.ts'
import type { CliContext } from '../run/context.ts'
import { LocalRefusal } from '../run/errors.ts'
import { EXIT } from '../run/exit-codes.ts'
import { interruptible } from '../run/interruptible.ts'
import { planDiff } from './diff-revisions.ts'
import type { PlanChange, PlanDiff, PlannedSide } from '@switchyard/schema-checks/plans'
import { operationsOfFiles, publishedOperations } from './operations.ts'
import { type DiffCall, readSide } from './revision-sides.ts'

/** The graph and the flag, and which operations are planned. */
export type CheckPlansOptions = {
  readonly graph: string
  readonly flag: string
  /** A file or folder; without it the published documents are used. */
  readonly operations: string | undefined
  readonly defer: boolean
}

/** The effect of a flag on an operation: how it answers what base answers, or that only the flag does. */
type PlanEffect = 'unanswerable' | 'more' | 'fewer' | 'same-requests' | 'only-flag'

type Checked = { readonly change: PlanChange; readonly effect: PlanEffect }

/** The largest numbers of operations that the text, and the JSON document, list. */
const MOST_LISTED = 100
const MOST_IN_JSON = 2000

/** Exit code 0, or 1 if base answers an operation that the flag does not. */
export async function checkPlans(call: DiffCall, options: CheckPlansOptions): Promise<CommandResult> {
  const { context } = call
  const progress = startProgress(context)
  try {
    const { revision, plans } = await interruptible(context.signal, () => diff(call, options, progress.show))
    return resultOf(options, revision, plans, context)
  } finally {
    progress.stop()
  }
}

async function diff(
  call: DiffCall,
  { graph, flag, operations, defer }: CheckPlansOptions,
  onProgress: (text: string) => void,
): Promise<{ readonly revision: number; readonly plans: PlanDiff }> {
  const { context } = call
  // A file that cannot be used is told before the registry is asked.
  const given = operations === undefined ? null : await operationsOfFiles(operations, context.cwd)
  const base = await readSide(call, graph, { word: 'latest', featureFlag: undefined })
  const flagged = await readSide(call, graph, { word: base.revision, featureFlag: flag })
  const found = given ?? publishedOperations(base, flagged)
  if (found === null) {
    const detail = `No documents are published for federated graph "${graph}", so no operation is known. Name a file or folder of operations with --operations.`
    throw new LocalRefusal('NOT_FOUND', detail)
  }
  const { signal } = context
  return {
    revision: base.revision,
    plans: await planDiff(base, flagged, found, { defer, signal, onProgress }),
  }
}

function effectOf({ status, from, to }: PlanChange): PlanEffect {
  if (status === 'gained') return 'only-flag'
  if (from.kind === 'refused') return 'only-flag'
  if (to.kind === 'refused' || to.unreachable.length > from.unreachable.length) return 'unanswerable'
  if (to.requests === from.requests) return 'same-requests'
  return to.requests > from.requests ? 'more' : 'fewer'
}

function resultOf(
  { graph, flag }: CheckPlansOptions,
  revision: number,
  { origin, operations, unchanged, refused, notCompared, changes }: PlanDiff,
  context: CliContext,
): CommandResult {
  const checked = changes.map((change): Checked => ({ change, effect: effectOf(change) }))
  const of = (wanted: PlanEffect) => checked.filter(({ effect }) => effect === wanted)
  const counts = {
    unanswerable: of('unanswerable').length,
    moreRequests: of('more').length,
    fewerRequests: of('fewer').length,
    sameRequests: of('same-requests').length,
    onlyFlag: of('only-flag').length,
  }
  const style = styleFor(context.stdout, context.env)
  const shown = EFFECTS.flatMap(of).slice(0, MOST_LISTED)
  const left = checked.length - shown.length
  return {
    exitCode: counts.unanswerable > 0 ? EXIT.refused : EXIT.done,
    json: {
      result: {
        graph,
        flag,
        revision,
        origin,
        operations,
        unchanged,
        notCompared,
        neither: refused.length,
        ...counts,
        changes: EFFECTS.flatMap(of).slice(0, MOST_IN_JSON).map(jsonOf),
      },
    },
    text: [
      style.bold(`${graph}: flag ${flag} against base, revision ${revision}`),
      `${operations} ${operations === 1 ? 'operation' : 'operations'} ${origin}: ${unchanged} have the same plan, ${counts.moreRequests} need more requests, ${counts.fewerRequests} fewer, ${counts.sameRequests} as many, and ${counts.unanswerable} have no answer`,
      ...shown.map((one) => lineOf(one, style)),
      ...(left === 0 ? [] : [`  … ${left} more; --json lists them`]),
    ].join('\n'),
    remarks: [
      ...(notCompared === 0
        ? []
        : [`${notCompared} operations were left out, since planning all takes too long.`]),
      ...(refused.length === 0 ? [] : [`${refused.length} operations are valid on neither side.`]),
    ].join('\n'),
  }
}

/** The effects in the order in which they are listed. */
const EFFECTS: readonly PlanEffect[] = ['unanswerable', 'more', 'fewer', 'same-requests', 'only-flag']

function lineOf({ change: { operation, conditions, from, to }, effect }: Checked, style: Style): string {
  const given = Object.entries(conditions).map(([name, value]) => `$${name} = ${value}`)
  const name = `${style.bold(printableLine(operation))}${given.length === 0 ? '' : ` with ${given.join(', ')}`}`
  return `  ${name}: ${printEffect(effect, from, to, style)}`
}

function printEffect(effect: PlanEffect, from: PlannedSide, to: PlannedSide, style: Style): string {
  const sizes = `${requestsOf(from)} → ${requestsOf(to)} requests`
  switch (effect) {
    case 'unanswerable':
      return `${style.red('no answer')}: ${to.kind === 'refused' ? printableLine(to.message) : `no subgraph answers ${to.unreachable.join(', ')}`}`
    case 'only-flag':
      return 'only the flag answers it'
    case 'more':
      return style.red(sizes)
    case 'fewer':
      return style.green(sizes)
    case 'same-requests':
      return `as many requests (${requestsOf(to)}), other ones or in another order`
    default:
      return effect satisfies never
  }
}

function requestsOf(side: PlannedSide): number {
  return side.kind === 'planned' ? side.requests : 0
}

function jsonOf({ change: { operation, conditions, from, to }, effect }: Checked): object {
  const side = (one: PlannedSide) =>
    one.kind === 'refused'
      ? { kind: one.kind, message: one.message }
      : { kind: one.kind, requests: one.requests, depth: one.depth, unreachable: one.unreachable }
  return { operation, conditions, effect, base: side(from), flag: side(to) }
}
