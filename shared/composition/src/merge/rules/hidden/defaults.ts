/** Rule: clients see the enum values that are defaults of what they see. */
import { Kind, print } from 'graphql'
import { graphFinding, type GraphPlace } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { isHidden, type CheckedEnum, type TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt, place } from '../../checked/places.ts'
import { visibleInputs } from '../../checked/visible-inputs.ts'

/** Finds visible arguments and input fields with hidden defaults. */
export const hiddenDefaults: TypeRule = function* hiddenDefaults(owner, graph) {
  if (owner.kind !== 'interface')
    for (const { coordinate, merged, declarations } of visibleInputs(owner)) {
      const { defaultValue } = merged
      if (defaultValue?.kind !== Kind.ENUM || isHidden(merged)) continue
      const type = graph.type(namedTypeOf(merged.type))
      if (type?.kind !== 'enum' || !isHiddenValue(type, defaultValue.value)) continue
      const given = declarations().flatMap(({ at, model }) =>
        model.defaultValue === null
          ? []
          : [place(at, model.defaultValue, { kind: 'default', value: print(model.defaultValue) })],
      )
      const facts = { value: `${type.name}.${defaultValue.value}`, coordinate }
      yield graphFinding('DEFAULT_VALUE_USES_INACCESSIBLE', facts, [
        ...hidingPlaces(type, defaultValue.value),
        ...given,
      ])
    }
}

/** Asks the declarations, which have their values by name. */
function isHiddenValue({ declarations, merged }: CheckedEnum, value: string): boolean {
  const isMarked = ({ model }: CheckedEnum['declarations'][number]) => {
    const found = model.values.get(value)
    return found !== undefined && appliedTo(found.applied, 'inaccessible') !== undefined
  }
  return isHidden(merged) || declarations.some(isMarked)
}

function hidingPlaces({ declarations }: CheckedEnum, value: string): readonly GraphPlace[] {
  return declarations.flatMap(({ at, model }) => {
    const ofValue = model.values.get(value)
    return [
      ...(ofValue === undefined ? [] : appliedAt({ at, model: ofValue }, 'inaccessible')),
      ...appliedAt({ at, model }, 'inaccessible'),
    ]
  })
}
