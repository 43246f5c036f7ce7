/** Rule: the values of an enum that inputs use are those of all its subgraphs. */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding } from '../../../findings/finding.ts'
import { isHidden, type CheckedEnum, type TypeRule } from '../../checked/checked-graph.ts'
import { firstNameOf, nameOf } from '../../checked/places.ts'

/** Finds values that some subgraphs do not take, and enums without a value that all subgraphs take. */
export const enums: TypeRule = function* enums(type, { facts }) {
  if (type.kind !== 'enum' || type.declarations.length < 2) return
  const { isInput, isOutput } = facts.useOf(type.name)
  if (isInput && isOutput) yield* missingValues(type)
  else if (isInput && type.merged.values.length === 0) yield emptyEnum(type)
}

function* missingValues(type: CheckedEnum): Iterable<Finding> {
  for (const value of type.merged.values) {
    if (value.at.length === type.declarations.length || isHidden(value)) continue
    const having = new Set(value.at)
    const without = type.declarations.flatMap(({ at }) => (having.has(at) ? [] : [at]))
    const places = type.declarations.flatMap((one) => {
      const model = one.model.values.get(value.name)
      return model === undefined
        ? firstNameOf(one, { kind: 'no-value', value: value.name })
        : [nameOf({ at: one.at, model }, { kind: 'defined' })]
    })
    const facts = { type: type.name, value: value.name, having: value.at, without }
    yield graphFinding('ENUM_VALUE_MISMATCH', facts, places)
  }
}

function emptyEnum({ name, declarations }: CheckedEnum): Finding {
  const places = declarations.flatMap((one) =>
    firstNameOf(one, { kind: 'members', names: [...one.model.values.keys()] }),
  )
  return graphFinding('EMPTY_MERGED_ENUM_TYPE', { type: name }, places)
}
