/** The results of a rollout's shadows by all routers together. */
import {
  type ComparedOperation,
  type DifferenceRow,
  isAtOrBelow,
  type RolloutDifferences,
  type RolloutResults,
} from '@switchyard/contracts'
import type { Rollout } from '@switchyard/domain'

/** Lines of a kind in one answer. */
const MOST_LINES = 500

/** Adds up what routers told. A path that is noise for one of them is noise. */
export function rolloutDifferences(
  namespace: string,
  { name, graph, flag }: Pick<Rollout, 'name' | 'graph' | 'flag'>,
  all: readonly RolloutResults[],
): RolloutDifferences {
  const noise = new Map<string, RolloutResults['noise'][number]>()
  const operations = new Map<string, ComparedOperation>()
  const rows = new Map<string, DifferenceRow>()
  for (const results of all) {
    for (const path of results.noise) noise.set(JSON.stringify([path.operation, path.path]), path)
    for (const one of results.operations)
      operations.set(one.operation, sumOf(operations.get(one.operation), one))
    for (const row of results.differences) {
      const key = JSON.stringify([row.operation, row.path, row.cause, row.code])
      rows.set(key, joined(rows.get(key), row))
    }
  }
  const isNoise = (row: DifferenceRow): boolean =>
    [...noise.values()].some(
      ({ operation, path }) => operation === row.operation && isAtOrBelow(row.path, path),
    )
  const differences = [...rows.values()].filter((row) => !isNoise(row)).sort((a, b) => b.count - a.count)
  const compared = [...operations.values()].sort((a, b) => b.compared - a.compared)
  const beyond = [differences, compared, [...noise]].map(({ length }) => Math.max(0, length - MOST_LINES))
  return {
    namespace,
    rollout: name,
    graph,
    flag,
    routers: all.length,
    since: all.length === 0 ? null : Math.min(...all.map(({ since }) => since)),
    operations: compared.slice(0, MOST_LINES),
    differences: differences.slice(0, MOST_LINES),
    noise: [...noise.values()].slice(0, MOST_LINES),
    dropped: all.reduce((sum, { dropped }) => sum + dropped, 0),
    leftOut:
      all.reduce((sum, { leftOut }) => sum + leftOut, 0) + beyond.reduce((sum, count) => sum + count, 0),
  }
}

function sumOf(known: ComparedOperation | undefined, one: ComparedOperation): ComparedOperation {
  if (known === undefined) return one
  const notComparable = { ...known.notComparable }
  for (const [reason, count] of Object.entries(one.notComparable))
    notComparable[reason] = (notComparable[reason] ?? 0) + count
  return {
    operation: one.operation,
    compared: known.compared + one.compared,
    equal: known.equal + one.equal,
    reordered: known.reordered + one.reordered,
    different: known.different + one.different,
    slower: known.slower + one.slower,
    unanswerable: known.unanswerable + one.unanswerable,
    notComparable,
    baseMs: known.baseMs + one.baseMs,
    flagMs: known.flagMs + one.flagMs,
  }
}

function joined(known: DifferenceRow | undefined, row: DifferenceRow): DifferenceRow {
  if (known === undefined) return row
  const latest = row.last >= known.last ? row : known
  return { ...latest, count: known.count + row.count, first: Math.min(known.first, row.first) }
}
