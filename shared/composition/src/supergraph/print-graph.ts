/** Writes the merged graph as the text of a supergraph, with the join specification 0.5. */
import type { MergedGraph } from '../merge/merged.ts'
import { graphValues } from './graph-values.ts'
import { cacheControlOf, printCacheControl } from './cache-control.ts'
import { Texts, type KeptTexts } from './kept-texts.ts'
import { printDirective } from './print-definitions.ts'
import { printHeader, type SupergraphSubgraph } from './print-header.ts'

/**
 * The text of the supergraph: the header, and after it the definitions in the order of their names. `before`
 * are the texts of the composition before.
 */
export function printSupergraph(
  graph: MergedGraph,
  subgraphs: readonly SupergraphSubgraph[],
  before: KeptTexts | null = null,
): { readonly text: string; readonly kept: KeptTexts } {
  const values = graphValues(subgraphs.map(({ valueName }) => valueName))
  const names = subgraphs.map(({ name }) => name)
  const cacheControl = cacheControlOf(graph)
  const texts = new Texts({ values, names, cacheControl }, before)
  const directives = [...graph.directives.values()].sort(byName).map((one) => printDirective(one))
  const types = [...graph.types.values()].sort(byName).map((type) => texts.of(type))
  const features = new Set(types.flatMap((one) => one.features))
  const hasCacheHint = types.some((one) => one.hasCacheHint)
  const text = [
    printHeader(graph, subgraphs, values, features),
    ...directives,
    ...printCacheControl(cacheControl, hasCacheHint),
    ...types.map((one) => one.text),
  ].join('\n\n')
  return { text: `${text}\n`, kept: texts.kept }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
