/** Hints: overrides that have no effect, and fields that an override has made superfluous. */
import { argument } from '../federation/federation-link.ts'
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { FieldsType, Override } from '../model/model.ts'
import { hasFields } from '../graph/declarations.ts'
import { atName } from './places.ts'

/** Finds both in the overrides of the type's fields. */
export function* overrides(graph: Graph, typeName: string): Iterable<Finding> {
  for (const { at, model: type } of graph.types.get(typeName).filter(hasFields))
    for (const { name, override } of type.fields.values())
      if (override !== null) yield* ofOverride(graph, at, { type, name, override })
}

/** `name` is that of the field. */
type Overridden = { readonly type: FieldsType; readonly name: string; readonly override: Override }

function* ofOverride(graph: Graph, at: number, { type, name, override }: Overridden): Iterable<Finding> {
  const { from, node } = override
  const before = graph.facts.positionOf(from)
  const field = `${type.name}.${name}`
  // A feature subgraph may name the subgraph that it replaces itself, and has nothing left to override then.
  if (before === -1 || before === at) {
    const facts = { field, subgraph: at, from }
    yield graphFinding('FROM_SUBGRAPH_DOES_NOT_EXIST', facts, [{ subgraph: at, node }])
    return
  }
  // With a label the subgraph before goes on resolving the field for some of the clients, and fields of
  // interfaces are not resolved by themselves.
  if (argument(node, 'label') !== undefined || type.kind === 'interface') return
  const declared = graph.types.in(before, type.name)
  const model = declared !== undefined && 'fields' in declared ? declared.fields.get(name) : undefined
  if (model === undefined) return
  yield graphFinding('OVERRIDDEN_FIELD_CAN_BE_REMOVED', { field, before, by: at }, [
    atName({ at: before, model }, { kind: 'can-be-removed' }),
    { subgraph: at, node, label: { kind: 'overrides' } },
  ])
}
