/**
 * Finds definitions that compose but are probably mistakes. The codes are those of the federation
 * documentation.
 */
import { inSubgraph, type Finding, type SubgraphFinding } from '../findings/finding.ts'
import type { Graph } from '../merge/graph.ts'
import type { SubgraphModel } from '../model/model.ts'
import { descriptions } from './descriptions.ts'
import { differences } from './differences.ts'
import { overrides } from './overrides.ts'
import { provisions } from './provisions.ts'
import { sharedDefinitions } from './shared-definitions.ts'
import { subscriptions } from './subscriptions.ts'
import { unenforcedAuthorization } from './unenforced-authorization.ts'
import { withoutEffect } from './without-effect.ts'

/**
 * Returns all hints about a graph, whether or not it composes. `isEnforced` means that routers enforce its
 * authorization directives.
 */
export function findGraphHints(graph: Graph, isEnforced: boolean): readonly Finding[] {
  const shared = sharedDefinitions(graph)
  return [
    ...(isEnforced ? [] : inEach(graph, unenforcedAuthorization)),
    ...overrides(graph),
    ...provisions(graph),
    ...inEach(graph, subscriptions),
    ...inEach(graph, withoutEffect),
    ...differences(shared, graph.facts),
    // These differ often and matter least: they come last, where a long list is cut.
    ...descriptions(shared),
  ]
}

function inEach(
  { subgraphs }: Graph,
  hint: (model: SubgraphModel) => Iterable<SubgraphFinding>,
): readonly Finding[] {
  return subgraphs.flatMap((model, at) => [...hint(model)].map((found) => inSubgraph(found, at)))
}
