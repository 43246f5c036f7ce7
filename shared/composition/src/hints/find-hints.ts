/**
 * Finds definitions that compose but are probably mistakes. The codes are those of the federation
 * documentation.
 */
import { inSubgraph, type Finding, type SubgraphFinding } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { KeptByModel, KeptByType } from '../kept/kept.ts'
import type { SubgraphModel } from '../model/model.ts'
import { descriptions } from './descriptions.ts'
import { differences } from './differences.ts'
import { overrides } from './overrides.ts'
import { Owners, provisions } from './provisions.ts'
import { sharedDefinition } from './shared-definitions.ts'
import { subscriptions } from './subscriptions.ts'
import { unservedEvents } from './unserved-events.ts'
import { unenforcedAuthorization } from './unenforced-authorization.ts'
import { withoutEffect } from './without-effect.ts'

/** Hints about one type, in groups. */
export type TypeHints = {
  readonly overrides: readonly Finding[]
  readonly provisions: readonly Finding[]
  readonly differences: readonly Finding[]
  readonly descriptions: readonly Finding[]
}

/** Hints that are kept from one composition to the next. */
export type KeptHints = {
  readonly ofTypes: KeptByType<TypeHints | null>
  readonly ofSubgraphs: KeptByModel<SubgraphHints>
}

/** Hints about one subgraph alone. */
export type SubgraphHints = {
  readonly unenforced: readonly SubgraphFinding[]
  readonly others: readonly SubgraphFinding[]
}

/**
 * Returns all hints about a graph, whether or not it composes. `isEnforced` means that routers enforce its
 * authorization directives.
 */
export function findGraphHints(
  graph: Graph,
  isEnforced: boolean,
  { ofTypes, ofSubgraphs }: KeptHints,
): readonly Finding[] {
  const owners = new Owners(graph)
  const found = graph.types.names.flatMap(
    (name) => ofTypes.of(name, () => findInType(graph, owners, name)) ?? [],
  )
  const hints = graph.subgraphs.map((model) => ofSubgraphs.of(model, () => findInModel(model)))
  const inEach = (group: keyof SubgraphHints) =>
    hints.flatMap((one, at) => one[group].map((hint) => inSubgraph(hint, at)))
  return [
    ...(isEnforced ? [] : inEach('unenforced')),
    ...found.flatMap(({ overrides: all }) => all),
    ...found.flatMap(({ provisions: all }) => all),
    ...inEach('others'),
    ...found.flatMap(({ differences: all }) => all),
    // These differ often and matter least: they come last, where a long list is cut.
    ...found.flatMap(({ descriptions: all }) => all),
  ]
}

/** Null for a type that there is nothing to say about, as for most of them. */
function findInType(graph: Graph, owners: Owners, name: string): TypeHints | null {
  const shared = sharedDefinition(graph, name)
  const found = {
    overrides: [...overrides(graph, name)],
    provisions: [...provisions(graph, owners, name)],
    differences: shared === null ? [] : [...differences(shared, graph.facts)],
    descriptions: shared === null ? [] : [...descriptions(shared)],
  }
  return Object.values(found).every(({ length }) => length === 0) ? null : found
}

function findInModel(model: SubgraphModel): SubgraphHints {
  return {
    unenforced: [...unenforcedAuthorization(model)],
    others: [...subscriptions(model), ...unservedEvents(model), ...withoutEffect(model)],
  }
}
