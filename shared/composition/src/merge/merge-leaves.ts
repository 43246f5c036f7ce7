/** Merges enums, unions and scalars. */
import type { EnumType, ScalarType, UnionType } from '../model/model.ts'
import type { MergeFacts } from '../graph/facts.ts'
import { mergeHead } from './merge-head.ts'
import type { Declared } from '../graph/declared.ts'
import type { MergedEnum, MergedScalar, MergedUnion } from './merged.ts'

/**
 * Merges the declarations of an enum. One that only inputs use has the values that all its subgraphs know.
 * Any other has all values.
 */
export function mergeEnum(declarations: readonly Declared<EnumType>[], facts: MergeFacts): MergedEnum {
  const head = mergeHead(declarations)
  const { isInput, isOutput } = facts.useOf(head.name)
  const isForInputs = isInput && !isOutput
  const names = [...new Set(declarations.flatMap(({ model }) => [...model.values.keys()]))]
  const values = names.map((name) => {
    const found = declarations.flatMap(({ at, model }) => {
      const value = model.values.get(name)
      return value === undefined ? [] : [{ at, model: value }]
    })
    return { ...mergeHead(found), at: found.map(({ at }) => at) }
  })
  return {
    kind: 'enum',
    ...head,
    at: declarations.map(({ at }) => at),
    values: isForInputs ? values.filter(({ at }) => at.length === declarations.length) : values,
  }
}

/** Merges the declarations of a union: it has all members. */
export function mergeUnion(declarations: readonly Declared<UnionType>[]): MergedUnion {
  const names = [...new Set(declarations.flatMap(({ model }) => [...model.members]))]
  return {
    kind: 'union',
    ...mergeHead(declarations),
    at: declarations.map(({ at }) => at),
    members: names.map((name) => ({
      name,
      at: declarations.filter(({ model }) => model.members.has(name)).map(({ at }) => at),
    })),
  }
}

/** Merges the declarations of a scalar. */
export function mergeScalar(declarations: readonly Declared<ScalarType>[]): MergedScalar {
  return { kind: 'scalar', ...mergeHead(declarations), at: declarations.map(({ at }) => at) }
}
