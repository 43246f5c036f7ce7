/** Rule: fragments in the selections of keys, requirements and provisions are on types that the graph has. */
import { Kind, type NamedTypeNode, type SelectionSetNode } from 'graphql'
import { finding, inSubgraph } from '../../../findings/finding.ts'
import type { FieldSelection } from '../../../model/model.ts'
import type { CheckedFieldsType, TypeRule } from '../../checked/checked-graph.ts'

const COMPOSITE: ReadonlySet<string> = new Set(['object', 'interface', 'union'])

type Code = 'KEY_INVALID_FIELDS' | 'REQUIRES_INVALID_FIELDS' | 'PROVIDES_INVALID_FIELDS'

/** Finds fragments on other types. A subgraph may select what only others define. */
export const fragments: TypeRule = function* fragments(type, graph) {
  if (type.kind !== 'object' && type.kind !== 'interface') return
  for (const { at, on, code, selection } of selectionsOf(type))
    for (const condition of conditionsIn(selection.set)) {
      const name = condition.name.value
      if (COMPOSITE.has(graph.mergedType(name)?.kind ?? '')) continue
      const problem = { kind: 'unknown-type', type: name } as const
      const within = { selection: selection.set, node: condition }
      yield inSubgraph(finding(code, { on, problem }, [{ node: selection.node, within }]), at)
    }
}

type Written = {
  readonly at: number
  readonly on: string
  readonly code: Code
  readonly selection: FieldSelection
}

function* selectionsOf({ name, declarations, fields }: CheckedFieldsType): Iterable<Written> {
  for (const { at, model } of declarations)
    for (const { fields: selection } of model.keys)
      yield { at, on: name, code: 'KEY_INVALID_FIELDS', selection }
  for (const field of fields.values())
    for (const { at, model } of field.declarations) {
      const on = field.coordinate
      if (model.requires !== null)
        yield { at, on, code: 'REQUIRES_INVALID_FIELDS', selection: model.requires }
      if (model.provides !== null)
        yield { at, on, code: 'PROVIDES_INVALID_FIELDS', selection: model.provides }
    }
}

/** The type conditions of a selection. A list instead of recursion: selections may be nested deeply. */
function* conditionsIn(set: SelectionSetNode): Iterable<NamedTypeNode> {
  const left = [set]
  for (let level = left.pop(); level !== undefined; level = left.pop())
    for (const node of level.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT && node.typeCondition !== undefined) yield node.typeCondition
      if (node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet !== undefined) left.push(node.selectionSet)
    }
}
