/** Says in the plan why one field is asked of several subgraphs. */
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { AnsweringField } from './position-keys.ts'

/** Adds to the calls that answer parts of a goal which other subgraphs answer the other parts. */
export function explainSources(
  graph: Graph,
  object: TypeId,
  goal: FieldGoal,
  selected: readonly AnsweringField[],
): void {
  const subgraphs = new Set(selected.map(({ provider }) => provider.node.sub))
  if (subgraphs.size < 2) return
  const nameOf = (sub: number): string => `"${graph.compiled.subgraphs[sub]?.name ?? ''}"`
  for (const { provider } of selected) {
    if (provider.source.kind !== 'call') continue
    const others = [...subgraphs].filter((sub) => sub !== provider.node.sub).map(nameOf)
    const field = `${typeOf(graph, object).name}.${goal.name}`
    provider.source.call.reasons.add(`a part of ${field}, beside ${others.sort().join(', ')}`)
  }
}
