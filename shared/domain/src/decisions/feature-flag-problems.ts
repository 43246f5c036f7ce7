/**
 * Everything that is wrong with the members of a feature flag, at once: nobody likes to find faults one by
 * one.
 */
import { didYouMean } from '@switchyard/contracts'
import type { NamespaceState } from '../state/namespace-state.ts'

export function featureFlagProblems(
  state: NamespaceState,
  featureSubgraphs: readonly string[],
): readonly string[] {
  const problems: string[] = []
  if (featureSubgraphs.length === 0) {
    problems.push('No feature subgraph is named; a feature flag needs one or more.')
  }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const byBase = new Map<string, string[]>()
  for (const name of featureSubgraphs) {
    if (seen.has(name)) {
      repeated.add(name)
      continue
    }
    seen.add(name)
    const subgraph = state.subgraphs.get(name)
    if (subgraph === undefined) {
      problems.push(
        `There is no feature subgraph "${name}" in namespace "${state.namespace}".${didYouMean(name, namesOfFeatureSubgraphs(state))}`,
      )
    } else if (subgraph.kind === 'subgraph') {
      problems.push(`"${name}" is a subgraph, not a feature subgraph; name one that replaces it.`)
    } else {
      const replacements = byBase.get(subgraph.base) ?? []
      byBase.set(subgraph.base, [...replacements, name])
    }
  }
  for (const name of repeated) problems.push(`Feature subgraph "${name}" is named more than once.`)
  for (const [base, names] of byBase) {
    if (names.length < 2) continue
    const list = names.map((name) => `"${name}"`).join(' and ')
    problems.push(
      `${list} replace the same subgraph "${base}"; a feature flag takes one replacement of each.`,
    )
  }
  return problems
}

function* namesOfFeatureSubgraphs({ subgraphs }: NamespaceState): Iterable<string> {
  for (const { name, kind } of subgraphs.values()) if (kind === 'feature-subgraph') yield name
}
