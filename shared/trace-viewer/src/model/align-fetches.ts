/**
 * Finds which fetches of two plans do the same. Those of one subgraph with the same selection at the same
 * path belong together, then those with the same selection elsewhere, then those at the same path with
 * another selection. Of several equal ones the first stands beside the first.
 */
import type { FetchRow } from './timeline.ts'

/**
 * The relation of two fetches in the plans. `unknown`: one of the traces does not tell the request.
 * `only`: the other plan has no such fetch.
 */
export type PlanComparison = 'same' | 'other-path' | 'other-selection' | 'unknown' | 'only'

export type AlignedFetches = {
  readonly a: FetchRow | null
  readonly b: FetchRow | null
  readonly plan: PlanComparison
}

/** Returns null where a fetch cannot be found by this key. */
type KeyOf = (row: FetchRow) => readonly string[] | null

const KEYS: readonly KeyOf[] = [
  (row) => withSelection(row, [row.fetch.source_id, row.fetch.path]),
  (row) => withSelection(row, [row.fetch.source_id]),
  ({ fetch }) => [fetch.source_id, fetch.path],
]

/**
 * Pairs all fetches, in the order of the first trace. A fetch that only the second trace has stands after the
 * fetch that it follows there.
 */
export function alignFetches(a: readonly FetchRow[], b: readonly FetchRow[]): readonly AlignedFetches[] {
  const partners = new Map<FetchRow, FetchRow>()
  const matched = new Set<FetchRow>()
  for (const keyOf of KEYS) {
    const others = Map.groupBy(
      b.filter((row) => !matched.has(row)),
      (row) => textOf(keyOf(row)),
    )
    const taken = new Map<string, number>()
    for (const row of a) {
      const key = textOf(keyOf(row))
      if (partners.has(row) || key === '') continue
      const count = taken.get(key) ?? 0
      const partner = others.get(key)?.[count]
      if (partner === undefined) continue
      taken.set(key, count + 1)
      partners.set(row, partner)
      matched.add(partner)
    }
  }
  return inOrder(a, b, partners)
}

function inOrder(
  a: readonly FetchRow[],
  b: readonly FetchRow[],
  partners: ReadonlyMap<FetchRow, FetchRow>,
): readonly AlignedFetches[] {
  /** Fetches of the second trace alone, by the fetch that they follow. */
  const onlyB = new Map<FetchRow | null, AlignedFetches[]>([[null, []]])
  const known = new Set(partners.values())
  let before: FetchRow | null = null
  for (const row of b) {
    if (known.has(row)) {
      before = row
      onlyB.set(row, [])
    } else onlyB.get(before)?.push({ a: null, b: row, plan: 'only' })
  }
  const pairs = a.flatMap((row): readonly AlignedFetches[] => {
    const partner = partners.get(row) ?? null
    if (partner === null) return [{ a: row, b: null, plan: 'only' }]
    return [{ a: row, b: partner, plan: planOf(row, partner) }, ...(onlyB.get(partner) ?? [])]
  })
  return [...(onlyB.get(null) ?? []), ...pairs]
}

function planOf(a: FetchRow, b: FetchRow): PlanComparison {
  const [left, right] = [selectionOf(a), selectionOf(b)]
  if (left === null || right === null) return 'unknown'
  if (left !== right) return 'other-selection'
  return a.fetch.path === b.fetch.path ? 'same' : 'other-path'
}

function textOf(key: readonly string[] | null): string {
  return key === null ? '' : JSON.stringify(key)
}

function withSelection(row: FetchRow, key: readonly string[]): readonly string[] | null {
  const selection = selectionOf(row)
  return selection === null ? null : [...key, selection]
}

/** Returns the document that the subgraph was sent; null if the trace does not tell it. */
function selectionOf({ fetch: { trace } }: FetchRow): string | null {
  const { input } = trace
  if (input === undefined || 'truncated' in input) return null
  const { body } = input
  if (typeof body !== 'object' || body === null || !('query' in body)) return null
  return typeof body.query === 'string' ? body.query : null
}
