/** The subgraphs of a graph side by side: what merging, rules and hints about several of them read. */
import type { SubgraphModel, TypeModel } from '../model/model.ts'
import { gatherFacts, type MergeFacts } from './facts.ts'
import type { Declared } from './merged.ts'

/** The subgraphs of a graph, and all that they declare by the name of its type. */
export type Graph = {
  /** In the order of their names. */
  readonly subgraphs: readonly SubgraphModel[]
  readonly facts: MergeFacts
  /** The declarations of a type in the order of the subgraphs. */
  readonly types: ReadonlyMap<string, readonly Declared<TypeModel>[]>
}

/**
 * Puts subgraphs side by side. `subgraphs` are in the order of their names; `positions` has the position of
 * each name that `@override(from:)` can mean, also of the subgraphs that features replace.
 */
export function readGraph(
  subgraphs: readonly SubgraphModel[],
  positions: ReadonlyMap<string, number>,
): Graph {
  const types = new Map<string, Declared<TypeModel>[]>()
  for (const [at, { types: own }] of subgraphs.entries())
    for (const [name, model] of own) {
      const known = types.get(name)
      if (known === undefined) types.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return { subgraphs, facts: gatherFacts(subgraphs, positions), types }
}
