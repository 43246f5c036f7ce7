/** The base of a graph, or the graph with a flag, in words. */
export type GraphVariant = { readonly graph: string; readonly featureFlag: string | null }

/** Names that are listed; of more, the first ones stand for all. */
const MOST_FLAGS = 4

/** `shop`, `shop with flag next`. */
export function compositionLabel({ graph, featureFlag }: GraphVariant): string {
  return featureFlag === null ? graph : `${graph} with flag ${featureFlag}`
}

/** `shop, shop with flag next`; of many flags `shop, shop with 20 flags (a, b, c, d, …)`. */
export function printVariants(variants: readonly GraphVariant[]): string {
  const graphs = [...new Set(variants.map(({ graph }) => graph))]
  return graphs
    .flatMap((graph) => {
      const own = variants.filter((variant) => variant.graph === graph)
      const flags = own.flatMap(({ featureFlag }) => (featureFlag === null ? [] : [featureFlag]))
      if (flags.length <= MOST_FLAGS) return own.map(compositionLabel)
      const base = flags.length < own.length ? [graph] : []
      const first = flags.slice(0, MOST_FLAGS).join(', ')
      return [...base, `${graph} with ${flags.length} flags (${first}, …)`]
    })
    .join(', ')
}
