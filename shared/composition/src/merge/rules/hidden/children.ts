/** Rule: clients see something of each type that they see. */
import { graphFinding } from '../../../findings/finding.ts'
import type { MergedHead, MergedType } from '../../merged.ts'
import { isHidden, type CheckedGraph, type GraphRule } from '../../checked/checked-graph.ts'
import { firstNameOf } from '../../checked/places.ts'

/** Finds visible types of which all is hidden. */
export const hiddenChildren: GraphRule = function* hiddenChildren({ merged, types }) {
  for (const type of merged.types.values()) {
    const children = childrenOf(type, merged)
    if (isHidden(type) || children.length === 0 || !children.every(isHidden)) continue
    const places = (types.get(type.name) ?? []).flatMap((one) => firstNameOf(one))
    yield graphFinding('ONLY_INACCESSIBLE_CHILDREN', { type: type.name, children: WORDS[type.kind] }, places)
  }
}

const WORDS = {
  object: 'fields',
  interface: 'fields',
  input: 'fields',
  enum: 'values',
  union: 'members',
  scalar: 'fields',
} as const

function childrenOf(
  type: MergedType,
  { types }: CheckedGraph['merged'],
): readonly Pick<MergedHead, 'applied'>[] {
  switch (type.kind) {
    case 'object':
    case 'interface':
    case 'input':
      return type.fields
    case 'enum':
      return type.values
    case 'union':
      return type.members.flatMap(({ name }) => types.get(name) ?? [])
    case 'scalar':
      return []
    default:
      return type satisfies never
  }
}
