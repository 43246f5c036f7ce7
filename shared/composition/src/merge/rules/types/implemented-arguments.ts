/** Compares the arguments of a field with those of the field of an interface that it implements. */
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import type { InputModel } from '../../../model/model.ts'
import type { Declared } from '../../../graph/declared.ts'
import type { MergedField } from '../../merged.ts'
import { isHidden } from '../../checked/checked-graph.ts'
import { isRequired } from '../../checked/input-values.ts'
import { nameOf, typeOf } from '../../checked/places.ts'
import type { FieldDeclaration } from '../../../graph/declarations.ts'

/** A field and the field of an interface that it implements. */
export type ImplementingField = {
  readonly field: MergedField
  readonly expected: MergedField
  readonly coordinate: string
  readonly implemented: string
  readonly declared: readonly FieldDeclaration[]
  readonly expectedDeclared: readonly FieldDeclaration[]
}

/** Finds arguments of the interface that are missing or differ, and others that are required. */
export function* checkArguments(pair: ImplementingField): Iterable<Finding> {
  const { field, expected, coordinate, implemented, declared, expectedDeclared } = pair
  const given = new Map(field.arguments.map((one) => [one.name, one]))
  for (const one of expected.arguments) {
    if (isHidden(one)) continue
    const own = given.get(one.name)
    const theirs = argumentsIn(expectedDeclared, one.name)
    if (own === undefined || isHidden(own))
      yield graphFinding(
        'INTERFACE_FIELD_NO_IMPLEM',
        { kind: 'argument', field: coordinate, argument: `${implemented}(${one.name}:)` },
        [...theirs.map((place) => nameOf(place, { kind: 'declared' })), ...lacking(declared, one.name)],
      )
    else if (own.type !== one.type)
      yield graphFinding(
        'INVALID_GRAPHQL',
        {
          kind: 'argument-of-other-type',
          coordinate: `${coordinate}(${one.name}:)`,
          type: own.type,
          implemented: `${implemented}(${one.name}:)`,
          expected: one.type,
        },
        [...theirs, ...argumentsIn(declared, one.name)].map((place) => typeOf(place, false)),
      )
  }
  yield* additional(pair)
}

function* additional(pair: ImplementingField): Iterable<Finding> {
  const { field, expected, coordinate, implemented, declared, expectedDeclared } = pair
  const known = new Set(expected.arguments.filter((one) => !isHidden(one)).map(({ name }) => name))
  for (const one of field.arguments) {
    if (known.has(one.name) || isHidden(one) || !isRequired(one)) continue
    yield graphFinding(
      'INVALID_GRAPHQL',
      { kind: 'additional-required-argument', coordinate: `${coordinate}(${one.name}:)`, implemented },
      [
        ...argumentsIn(declared, one.name).map((place) => nameOf(place, { kind: 'required' })),
        ...lacking(expectedDeclared, one.name),
      ],
    )
  }
}

function argumentsIn(
  declarations: readonly FieldDeclaration[],
  name: string,
): readonly Declared<InputModel>[] {
  return declarations.flatMap(({ at, model }) => {
    const found = model.arguments.get(name)
    return found === undefined ? [] : [{ at, model: found }]
  })
}

function lacking(declarations: readonly FieldDeclaration[], argument: string): readonly GraphPlace[] {
  return declarations
    .filter(({ model }) => !model.arguments.has(argument))
    .map((one) => nameOf(one, { kind: 'no-argument', argument }))
}
