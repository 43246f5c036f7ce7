/** Prints the findings of `config diff` as text and JSON. Both are bounded and count what they leave out. */
import type { CommandResult } from '../output/command-result.ts'
import type { CliContext } from '../run/context.ts'
import type { PlanChange, PlanDiff, PlannedCall, PlannedSide } from '@switchyard/schema-checks/plans'
import type { DiffedRevisions } from './diffed-revisions.ts'
import type { RevisionSide } from './revision-sides.ts'
import { EXIT } from '../run/exit-codes.ts'
import { countChanges, printChanges } from '../output/change-list.ts'
import { type Style, styleFor } from '../output/style.ts'
import { printableLine } from '@switchyard/service-kit/printable'

/** The largest numbers of schema changes, operations, and calls of one operation that the text lists. */
const MOST_CHANGES = 200
const MOST_OPERATIONS = 20
const MOST_CALLS = 10
/** Characters of a document that are shown in its line. */
const MOST_OF_DOCUMENT = 400
/** The largest number of schema changes, and of operations, in the JSON document. */
const MOST_IN_JSON = 2000

/** The result with its exit code. */
export function revisionDiffResult(diffed: DiffedRevisions, context: CliContext): CommandResult {
  const { schema, plans, exitCode } = diffed
  const differs = schema.length > 0 || (plans?.changes.length ?? 0) > 0
  const style = styleFor(context.stdout, context.env)
  return {
    exitCode: exitCode && differs ? EXIT.refused : EXIT.done,
    json: { result: jsonOf(diffed) },
    text: [
      ...headOf(diffed, style),
      ...schemaLines(diffed, style),
      ...(plans === null ? [] : planLines(plans, style)),
    ].join('\n'),
    remarks:
      plans === null
        ? 'No documents are published on either side, so no plans were compared; --operations names some.'
        : '',
  }
}

function jsonOf({ namespace, graph, from, to, schema, plans }: DiffedRevisions): object {
  const sideOf = ({ revision, featureFlag }: RevisionSide) => ({ revision, featureFlag })
  const count = (wanted: string) => schema.filter(({ criticality }) => criticality === wanted).length
  return {
    namespace,
    graph,
    from: sideOf(from),
    to: sideOf(to),
    schema: {
      breaking: count('breaking'),
      dangerous: count('dangerous'),
      safe: count('safe'),
      changes: schema.slice(0, MOST_IN_JSON),
    },
    plans: plans && {
      origin: plans.origin,
      operations: plans.operations,
      unchanged: plans.unchanged,
      notCompared: plans.notCompared,
      refused: plans.refused.slice(0, MOST_IN_JSON),
      changed: plans.changes.length,
      changes: plans.changes.slice(0, MOST_IN_JSON).map(({ from: before, to: after, ...change }) => ({
        ...change,
        from: sideJson(before),
        to: sideJson(after),
      })),
    },
  }
}

/** Returns a side as JSON, without the members that only the comparison needs. */
function sideJson(side: PlannedSide): object {
  if (side.kind === 'refused') return side
  const { kind, requests, depth, calls, unreachable } = side
  return { kind, requests, depth, calls: calls.map(({ subgraph }) => subgraph), unreachable }
}

function headOf({ graph, from, to }: DiffedRevisions, style: Style): readonly string[] {
  const isSame = from.artifact.supergraphSdl === to.artifact.supergraphSdl
  return [
    style.bold(`${graph}: ${nameOf(from)} → ${nameOf(to)}`),
    ...(isSame ? ['Both serve the same composition.'] : []),
  ]
}

function nameOf({ revision, featureFlag }: RevisionSide): string {
  return `revision ${revision}${featureFlag === null ? '' : ` with flag ${featureFlag}`}`
}

function schemaLines({ schema }: DiffedRevisions, style: Style): readonly string[] {
  const shown = schema.slice(0, MOST_CHANGES).map((change) => ({ ...change, variants: [] }))
  return [
    `Client schema: ${countChanges(schema)}`,
    ...printChanges(shown, style, '  '),
    ...more(schema.length - shown.length, 'change', '  '),
  ]
}

function planLines(plans: PlanDiff, style: Style): readonly string[] {
  const { origin, operations, unchanged, refused, notCompared, changes } = plans
  const shown = changes.slice(0, MOST_OPERATIONS)
  const left =
    notCompared === 0 ? '' : `; ${notCompared} more were left out, since comparing all takes too long`
  return [
    `Plans of ${operations} ${operations === 1 ? 'operation' : 'operations'} ${origin}: ${unchanged} unchanged${left}`,
    ...shown.flatMap((change) => changeLines(change, style)),
    ...more(changes.length - shown.length, 'changed plan', '  '),
    ...refused
      .slice(0, MOST_OPERATIONS)
      .map(
        ({ operation, message }) =>
          `  ${printableLine(operation)}: valid on neither side: ${printableLine(message)}`,
      ),
    ...more(refused.length - MOST_OPERATIONS, 'operation that neither side answers', '  '),
  ]
}

function changeLines(change: PlanChange, style: Style): readonly string[] {
  const { operation, conditions, removed, added } = change
  const given = Object.entries(conditions).map(([name, value]) => `$${name} = ${value}`)
  const label = `${style.bold(printableLine(operation))}${given.length === 0 ? '' : ` with ${given.join(', ')}`}`
  const isReordered = change.status === 'changed' && removed.length === 0 && added.length === 0
  return [
    `  ${label}: ${whatChanged(change, style)}${isReordered ? ', the same calls in another order' : ''}`,
    ...callLines(removed, (text) => style.red(`    - ${text}`)),
    ...callLines(added, (text) => style.green(`    + ${text}`)),
  ]
}

function whatChanged({ status, from, to }: PlanChange, style: Style): string {
  switch (status) {
    case 'lost':
      return `${style.red('not answered any more')}: ${reasonOf(to)}`
    case 'gained':
      return `${style.green('answered now')} (${sizeOf(to)}); before: ${reasonOf(from)}`
    case 'changed': {
      const lost = to.kind === 'planned' && to.unreachable.length > 0
      const fields = lost ? `; no subgraph answers ${to.unreachable.join(', ')} any more` : ''
      return `${sizeOf(from)} → ${sizeOf(to)}${fields}`
    }
    default:
      return status satisfies never
  }
}

function reasonOf(side: PlannedSide): string {
  return side.kind === 'refused' ? printableLine(side.message) : sizeOf(side)
}

function sizeOf(side: PlannedSide): string {
  if (side.kind === 'refused') return 'no plan'
  return `${side.requests} ${side.requests === 1 ? 'call' : 'calls'}, depth ${side.depth}`
}

function callLines(calls: readonly PlannedCall[], print: (text: string) => string): readonly string[] {
  return [
    ...calls.slice(0, MOST_CALLS).map((call) => print(callText(call))),
    ...more(calls.length - MOST_CALLS, 'call', '    '),
  ]
}

/** A call in one line: whom it asks, for which objects, and what. */
function callText({ subgraph, document, representations }: PlannedCall): string {
  const paths = [...new Set(representations.map(({ path }) => path))]
  const at = paths.length === 0 ? '' : ` for ${paths.join(', ')}`
  const line = printableLine(document).replaceAll(/\s+/g, ' ').trim()
  const text = line.length > MOST_OF_DOCUMENT ? `${line.slice(0, MOST_OF_DOCUMENT)} …` : line
  return `${subgraph}${at}: ${text}`
}

function more(count: number, what: string, indent: string): readonly string[] {
  return count > 0 ? [`${indent}… and ${count} more ${what}${count === 1 ? '' : 's'}`] : []
}
