/** Tells whether a flag is the base graph, or just like it. */
import type { FeatureFlag, NamespaceState } from './namespace-state.ts'

/**
 * Whether the flag was promoted and its feature subgraphs are still those that were promoted, as they were.
 * Such a flag is composed and served as the base graph. It has its own composition again as soon as one of
 * its feature subgraphs changes, and is launched again if that is taken back.
 */
export function isLaunched(
  { subgraphs }: Pick<NamespaceState, 'subgraphs'>,
  { launched, featureSubgraphs }: FeatureFlag,
): boolean {
  if (launched === null || launched.promoted.length !== featureSubgraphs.length) return false
  return launched.promoted.every(({ subgraph, featureSubgraph, after }) => {
    const member = subgraphs.get(featureSubgraph)
    return (
      member?.kind === 'feature-subgraph' &&
      featureSubgraphs.includes(featureSubgraph) &&
      member.base === subgraph &&
      member.schema?.sha256 === after.schema &&
      member.routingUrl === after.routingUrl
    )
  })
}

/**
 * Whether the feature subgraphs of the flag have the schemas and routing URLs of the subgraphs that they
 * replace, so that it makes no difference. False for a flag of which nothing is published.
 */
export function isLikeBase(
  { subgraphs }: Pick<NamespaceState, 'subgraphs'>,
  { featureSubgraphs }: FeatureFlag,
): boolean {
  const members = featureSubgraphs.flatMap((name) => {
    const member = subgraphs.get(name)
    return member?.kind === 'feature-subgraph' && member.schema !== null ? [member] : []
  })
  return (
    members.length > 0 &&
    members.every(({ base, schema, routingUrl }) => {
      const replaced = subgraphs.get(base)
      return replaced?.schema?.sha256 === schema?.sha256 && replaced?.routingUrl === routingUrl
    })
  )
}
