/** Writes the merged graph as the text of a supergraph, with the join specification 0.5. */
import type { MergedGraph } from '../merge/merged.ts'
import { graphValues } from './graph-values.ts'
import { cacheControlOf, printCacheControl } from './cache-control.ts'
import { printDirective, printType } from './print-definitions.ts'
import { printHeader, type SupergraphSubgraph } from './print-header.ts'

/** The text of the supergraph: the header, and after it the definitions in the order of their names. */
export function printSupergraph(graph: MergedGraph, subgraphs: readonly SupergraphSubgraph[]): string {
  const values = graphValues(subgraphs.map(({ valueName }) => valueName))
  const names = subgraphs.map(({ name }) => name)
  const printing = { values, names, cacheControl: cacheControlOf(graph) }
  const directives = [...graph.directives.values()].sort(byName).map((one) => printDirective(one))
  const types = [...graph.types.values()].sort(byName).map((type) => printType(type, printing))
  return (
    [printHeader(graph, subgraphs, values), ...directives, ...printCacheControl(graph), ...types].join(
      '\n\n',
    ) + '\n'
  )
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
