/** Rule: clients see something of each type that they see. */
import { graphFinding } from '../../../findings/finding.ts'
import type { MergedHead, MergedType } from '../../merged.ts'
import { isHidden, type CheckedGraph, type TypeRule } from '../../checked/checked-graph.ts'
import { firstNameOf } from '../../checked/places.ts'

/** Finds visible types of which all is hidden. */
export const hiddenChildren: TypeRule = function* hiddenChildren({ name, kind, merged }, graph) {
  const children = childrenOf(merged, graph)
  if (isHidden(merged) || children.length === 0 || !children.every(isHidden)) return
  const places = graph.types.get(name).flatMap((one) => firstNameOf(one))
  yield graphFinding('ONLY_INACCESSIBLE_CHILDREN', { type: name, children: WORDS[kind] }, places)
}

const WORDS = {
  object: 'fields',
  interface: 'fields',
  input: 'fields',
  enum: 'values',
  union: 'members',
  scalar: 'fields',
} as const

function childrenOf(type: MergedType, graph: CheckedGraph): readonly Pick<MergedHead, 'applied'>[] {
  switch (type.kind) {
    case 'object':
    case 'interface':
    case 'input':
      return type.fields
    case 'enum':
      return type.values
    case 'union':
      return type.members.flatMap(({ name }) => graph.mergedType(name) ?? [])
    case 'scalar':
      return []
    default:
      return type satisfies never
  }
}
