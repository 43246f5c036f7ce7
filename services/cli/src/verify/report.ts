/** The output of `router verify`, and its exit code. */
import { type FetchNode, type Graph, type PlanNode, planTree } from '@switchyard/engine'
import { STITCHING_LIMITS } from '@switchyard/second-opinion'
import { printableJson, printableLine, printableText } from '@switchyard/service-kit/printable'
import type { CommandResult } from '../output/command-result.ts'
import { EXIT } from '../run/exit-codes.ts'
import type { Style } from '../output/style.ts'
import type { UnreachableSubgraph } from './live-subgraphs.ts'
import type { InvalidOperation } from './read-operations.ts'
import type { Difference, DifferentVerdict, OneOnlyVerdict } from './verdict.ts'
import type { JudgedOperation, VerifyReport } from './verify-operations.ts'

/** The findings of a verification, and how they are printed and judged. */
export type ReportOptions = {
  readonly graph: Graph
  readonly found: VerifyReport
  readonly invalid: readonly InvalidOperation[]
  readonly origin: string
  readonly file: string
  readonly flag: string | null
  readonly isLive: boolean
  readonly unreachable: readonly UnreachableSubgraph[]
  readonly isStrict: boolean
  readonly style: Style
}

/** The result with its exit code. */
export function verifyResult(options: ReportOptions): CommandResult {
  const { graph, found, invalid, unreachable, isStrict, style } = options
  const unanswered = found.oneOnly.filter(({ verdict }) => verdict.answeredBy !== 'ours')
  const isFailed =
    found.different.length > 0 ||
    unanswered.length > 0 ||
    invalid.length > 0 ||
    unreachable.length > 0 ||
    (isStrict && (found.limited.length > 0 || found.oneOnly.length > 0))
  return {
    exitCode: isFailed ? EXIT.refused : EXIT.done,
    json: {
      result: {
        operations: found.operations,
        equal: found.equal,
        moved: found.moved,
        different: found.different.map((judged) => differentJson(graph, judged)),
        limits: [...found.limits].map(([id, count]) => ({ id, count })),
        limited: found.limited.map(({ operation, verdict }) => ({
          operation: operation.name,
          query: operation.query,
          variables: operation.variables,
          limits: verdict.limits,
          differences: verdict.differences.map(differenceJson),
        })),
        oneOnly: found.oneOnly.map(({ operation, verdict }) => ({
          operation: operation.name,
          query: operation.query,
          variables: operation.variables,
          answeredBy: verdict.answeredBy,
          code: verdict.code,
          message: verdict.message,
          isConfirmed: verdict.isConfirmed,
        })),
        invalid,
        unreachable,
      },
    },
    text: [
      heading(options),
      ...(isNothingVerified(options) ? [] : ['', ...summary(options)]),
      ...found.different.flatMap((judged) => ['', ...differentLines(options, judged)]),
      ...found.oneOnly.flatMap((judged) => ['', ...oneOnlyLines(options, judged)]),
      ...(invalid.length === 0 ? [] : ['', style.red('invalid operations:')]),
      ...invalid.map(
        ({ file, line, column, message }) =>
          `  ${printableLine(file)}:${line}:${column}: ${printableLine(message)}`,
      ),
      ...(unreachable.length === 0
        ? []
        : ['', style.red('never reached, so nothing is known of what they answer:')]),
      ...unreachable.map(
        ({ subgraph, calls, message }) => `  ${subgraph}: ${calls} calls failed: ${printableLine(message)}`,
      ),
    ].join('\n'),
    remarks: '',
  }
}

/** No operation was valid: a table of zeros would look as if some had been compared. */
function isNothingVerified({ found, invalid }: ReportOptions): boolean {
  return found.operations === 0 && invalid.length > 0
}

function heading(options: ReportOptions): string {
  const { graph, found, origin, file, flag, isLive } = options
  const of = flag === null ? file : `flag ${flag} of ${file}`
  const on = isLive ? 'the real subgraphs' : 'sample subgraphs'
  const count = graph.compiled.subgraphs.length
  if (isNothingVerified(options)) return `Nothing was verified: no operation ${origin} is valid for ${of}.`
  return `${found.operations} operations ${origin}, on ${on} (${count}) of ${of}`
}

function summary({ found, isLive, isStrict, style }: ReportOptions): readonly string[] {
  const paint = (count: number, colour: (text: string) => string) => {
    const text = String(count).padStart(6)
    return count === 0 ? text : colour(text)
  }
  const descriptions = new Map(STITCHING_LIMITS.map(({ id, description }) => [id, description]))
  const limited = found.limited.length
  return [
    `${paint(found.equal, style.green)}  equal${found.moved > 0 ? `, ${found.moved} of them after the data had moved` : ''}`,
    `${paint(found.different.length, style.red)}  different`,
    `${paint(found.oneOnly.length, style.yellow)}  answered by one only`,
    `${paint(limited, isStrict ? style.red : style.yellow)}  differ by a listed limit of stitching${
      limited === 0 ? '' : isLive ? ', as on sample subgraphs' : '; one server answers as the engine does'
    }`,
    ...[...found.limits]
      .toSorted(([, a], [, b]) => b - a)
      .map(([id, count]) => `${String(count).padStart(10)}  ${id}: ${style.dim(descriptions.get(id) ?? '')}`),
  ]
}

function differentLines(
  { graph, style }: ReportOptions,
  { operation, verdict }: JudgedOperation<DifferentVerdict>,
): readonly string[] {
  const fetches = usedFetches(graph, verdict)
  return [
    `${style.red('different')}: ${printableLine(operation.name)}`,
    ...indented(operation.query),
    ...(Object.keys(operation.variables).length === 0
      ? []
      : [`  variables ${printableJson(JSON.stringify(operation.variables))}`]),
    ...verdict.differences.slice(0, MOST_PLACES).flatMap((difference) => placeLines(difference, fetches)),
    ...(verdict.differences.length > MOST_PLACES
      ? [`  … and ${verdict.differences.length - MOST_PLACES} more places`]
      : []),
    ...thirdOpinion(verdict),
    ...fetches.flatMap(({ id, subgraph, document }) => [
      `  ${style.dim(`fetch ${id} asks ${subgraph}:`)}`,
      ...indented(document, '    '),
    ]),
  ]
}

const MOST_PLACES = 10

function placeLines(difference: Difference, fetches: readonly FetchNode[]): readonly string[] {
  const { path, ours, theirs, errorOf } = difference
  const from = fetches
    .filter(({ id }) => difference.fetches.includes(id))
    .map(({ id, subgraph }) => `fetch ${id} (${subgraph})`)
  const of = from.length === 0 ? '' : `   from ${from.join(' or ')}`
  const at = path.length === 0 ? 'the whole answer' : printableLine(path.join('.'))
  if (errorOf !== null) {
    const [who, message] = errorOf === 'ours' ? ['the engine', ours] : ['the stitched gateway', theirs]
    return [
      `  at ${at}: only ${who} has an error: ${printableLine(String(message))}${errorOf === 'ours' ? of : ''}`,
    ]
  }
  return [`  at ${at}`, `    engine    ${text(ours)}${of}`, `    stitched  ${text(theirs)}`]
}

function thirdOpinion({ oneServerAgreesWith }: DifferentVerdict): readonly string[] {
  switch (oneServerAgreesWith) {
    case 'ours':
      return [
        '  One server with the same values answers as the engine does, but no listed limit explains this.',
      ]
    case 'theirs':
      return ['  One server with the same values answers as the stitched gateway does.']
    case 'neither':
      return [
        '  Shown against one server with the same values, which the stitched gateway does not agree with.',
      ]
    case null:
      return []
    default:
      return oneServerAgreesWith satisfies never
  }
}

function oneOnlyLines(
  { style }: ReportOptions,
  { operation, verdict }: JudgedOperation<OneOnlyVerdict>,
): readonly string[] {
  const who = {
    ours: 'answered by the engine only',
    theirs: 'answered by the stitched gateway only',
    nobody: 'answered by nobody',
  }[verdict.answeredBy]
  return [
    `${style.yellow(who)}: ${printableLine(operation.name)}${verdict.isConfirmed === true ? ', as one server answers' : ''}`,
    `  ${printableLine(verdict.code)}: ${printableLine(verdict.message)}`,
    ...indented(operation.query),
  ]
}

function differentJson(graph: Graph, { operation, verdict }: JudgedOperation<DifferentVerdict>) {
  return {
    operation: operation.name,
    query: operation.query,
    variables: operation.variables,
    oneServerAgreesWith: verdict.oneServerAgreesWith,
    differences: verdict.differences.map(differenceJson),
    fetches: usedFetches(graph, verdict).map(({ id, subgraph, document }) => ({ id, subgraph, document })),
  }
}

/** Returns a difference as JSON. A value that is missing on one side is null, since JSON has no undefined. */
function differenceJson({ path, ours, theirs, errorOf, fetches }: Difference) {
  return { path, ours: ours ?? null, theirs: theirs ?? null, errorOf, fetches }
}

function usedFetches(graph: Graph, { plan, differences }: DifferentVerdict): readonly FetchNode[] {
  if (plan === null) return []
  const used = new Set(differences.flatMap(({ fetches }) => fetches))
  return fetchNodes(planTree(graph, plan).root).filter(({ id }) => used.has(id))
}

function fetchNodes(node: PlanNode | null): readonly FetchNode[] {
  if (node === null) return []
  return node.kind === 'Fetch' ? [node] : node.nodes.flatMap(fetchNodes)
}

function text(value: unknown): string {
  const written = value === undefined ? 'nothing' : printableJson(JSON.stringify(value))
  return written.length > 200 ? `${written.slice(0, 200)}…` : written
}

function indented(block: string, by = '  '): readonly string[] {
  return printableText(block)
    .trim()
    .split('\n')
    .map((line) => `${by}${line}`)
}
