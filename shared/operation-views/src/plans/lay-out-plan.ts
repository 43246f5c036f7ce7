/** Places of fetches in a drawing of a plan. It is loaded apart from the page. */
import { Graph, layout } from '@dagrejs/dagre'
import type { PlanFetch } from './plan-of-trace.ts'

export type PlacedFetch = { readonly fetch: PlanFetch; readonly x: number; readonly y: number }
export type PlanEdge = {
  readonly from: number
  readonly to: number
  readonly points: readonly { readonly x: number; readonly y: number }[]
}
export type PlanDrawing = {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedFetch[]
  readonly edges: readonly PlanEdge[]
}

export const NODE = { width: 190, height: 58 }
/** A plan that has more is listed only: laying it out would hold up the page. */
const MOST_NODES = 60
const MOST_EDGES = 150
const MARGIN = 8

/** Lays a plan out from left to right. Null if it is too large to be drawn. */
export function layOutPlan(fetches: readonly PlanFetch[]): PlanDrawing | null {
  const edges = directEdges(fetches)
  if (fetches.length > MOST_NODES || edges.length > MOST_EDGES) return null
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 44, marginx: MARGIN, marginy: MARGIN })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { number } of fetches) graph.setNode(String(number), { ...NODE })
  for (const { from, to } of edges) graph.setEdge(String(from), String(to))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    width,
    height,
    nodes: fetches.map((fetch) => {
      const { x = 0, y = 0 } = graph.node(String(fetch.number))
      return { fetch, x: x - NODE.width / 2, y: y - NODE.height / 2 }
    }),
    edges: edges.map(({ from, to }) => ({
      from,
      to,
      points: graph.edge(String(from), String(to)).points ?? [],
    })),
  }
}

/** Leaves out edges that follow from others, which would only make the drawing harder to read. */
function directEdges(
  fetches: readonly PlanFetch[],
): readonly { readonly from: number; readonly to: number }[] {
  if (fetches.length > MOST_NODES) return []
  const above = new Map<number, ReadonlySet<number>>()
  for (const { number, after } of fetches)
    above.set(number, new Set(after.flatMap((one) => [one, ...(above.get(one) ?? [])])))
  return fetches.flatMap(({ number, after }) =>
    after
      .filter((one) => !after.some((other) => other !== one && above.get(other)?.has(one) === true))
      .map((from) => ({ from, to: number })),
  )
}
