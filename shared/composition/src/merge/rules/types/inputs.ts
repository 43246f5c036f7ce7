/** Rule: the fields of an input type fit together, and those that are required are in all its subgraphs. */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { InputModel, InputType } from '../../../model/model.ts'
import type { Declared, MergedInputType } from '../../merged.ts'
import { narrowest } from '../../type-texts.ts'
import { defaultsOf, isRequired, missingAt, requiredAt, typesOf } from '../../checked/input-values.ts'
import type { CheckedType, GraphRule } from '../../checked/checked-graph.ts'
import { firstNameOf, typeOf } from '../../checked/places.ts'

type CheckedInput = CheckedType<InputType, MergedInputType>

/** Finds input types whose merged fields would not be taken everywhere. */
export const inputs: GraphRule = function* inputs({ inputs: all, facts }) {
  for (const type of all.values()) {
    if (type.declarations.length < 2) continue
    if (type.merged.fields.length === 0) yield emptyInput(type)
    for (const [field, declared] of fieldsOf(type)) {
      const coordinate = `${type.name}.${field}`
      const types = declared.map(({ model }) => model.type)
      if (narrowest(types, facts.subtypes) === null)
        yield graphFinding(
          'FIELD_TYPE_MISMATCH',
          { coordinate, types: typesOf(declared) },
          declared.map((one) => typeOf(one, false)),
        )
      const given = defaultsOf(declared)
      if (given !== null)
        yield graphFinding(
          'INPUT_FIELD_DEFAULT_MISMATCH',
          { coordinate, defaults: given.values },
          given.places,
        )
      if (declared.length < type.declarations.length) yield* missingField(type, coordinate, field, declared)
    }
  }
}

function fieldsOf({ declarations }: CheckedInput): ReadonlyMap<string, readonly Declared<InputModel>[]> {
  const found = new Map<string, Declared<InputModel>[]>()
  for (const { at, model: type } of declarations)
    for (const [name, model] of type.fields) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return found
}

function* missingField(
  type: CheckedInput,
  coordinate: string,
  field: string,
  declared: readonly Declared<InputModel>[],
): Iterable<Finding> {
  const requiring = declared.filter(({ model }) => isRequired(model))
  if (requiring.length === 0) return
  const lacking = missingAt(type.declarations, declared)
  const facts = { coordinate, requiring: requiring.map(({ at }) => at), without: lacking.map(({ at }) => at) }
  yield graphFinding('REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH', facts, [
    ...requiring.map((one) => requiredAt(one)),
    ...lacking.flatMap((one) => firstNameOf(one, { kind: 'no-field', field })),
  ])
}

function emptyInput({ name, declarations }: CheckedInput): Finding {
  const places = declarations.flatMap((one) =>
    firstNameOf(one, { kind: 'members', names: [...one.model.fields.keys()] }),
  )
  return graphFinding('EMPTY_MERGED_INPUT_TYPE', { type: name }, places)
}
