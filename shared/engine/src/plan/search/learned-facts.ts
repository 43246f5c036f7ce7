/**
 * Keeps what planning learns about a graph, for as long as the graph lives: one store per set of active
 * override labels.
 *
 * Labels are drawn per request and their sets multiply, so only the sets used last are kept.
 */
import type { Graph } from '../../graph/graph.ts'
import { QueryGraph } from '../../graph/moves/query-graph.ts'
import { emptySearchMemo, type SearchMemo } from './search-memo.ts'

/** The query graph and the search memo of one graph with one set of active labels. */
export type LearnedFacts = { readonly queryGraph: QueryGraph; readonly memo: SearchMemo }

const MAX_LABEL_SETS = 32

const stores = new WeakMap<Graph, Map<string, LearnedFacts>>()

/** The same store for the same labels, as long as it is among the last ones used. */
export function learnedFacts(graph: Graph, labels: ReadonlySet<string>): LearnedFacts {
  const active = graph.labels.filter((label) => labels.has(label))
  const key = JSON.stringify(active)
  let store = stores.get(graph)
  if (store === undefined) {
    store = new Map()
    stores.set(graph, store)
  }
  const facts = store.get(key) ?? {
    queryGraph: new QueryGraph(graph, new Set(active)),
    memo: emptySearchMemo(graph),
  }
  store.delete(key)
  store.set(key, facts)
  if (store.size > MAX_LABEL_SETS) {
    const [oldest] = store.keys()
    if (oldest !== undefined) store.delete(oldest)
  }
  return facts
}
