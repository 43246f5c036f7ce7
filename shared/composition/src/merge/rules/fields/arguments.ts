/** Rule: the arguments of a shared field fit together, and those that are required are in all subgraphs. */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { FieldModel, InputModel } from '../../../model/model.ts'
import type { Declared } from '../../merged.ts'
import { narrowest, type Subtypes } from '../../type-texts.ts'
import { defaultsOf, isRequired, missingAt, requiredAt, typesOf } from '../../checked/input-values.ts'
import type { CheckedField, GraphRule } from '../../checked/checked-graph.ts'
import { nameOf, typeOf } from '../../checked/places.ts'

/** Finds arguments that not all subgraphs of a field would take. */
export const fieldArguments: GraphRule = function* fieldArguments({ objects, facts }) {
  for (const type of objects) {
    if (type.declarations.length < 2) continue
    for (const field of type.fields.values())
      if (field.declarations.length > 1) yield* checkField(field, facts.subtypes)
  }
}

function* checkField(field: CheckedField, subtypes: Subtypes): Iterable<Finding> {
  for (const [name, declared] of argumentsOf(field.declarations)) {
    const coordinate = `${field.coordinate}(${name}:)`
    const types = declared.map(({ model }) => model.type)
    if (narrowest(types, subtypes) === null)
      yield graphFinding(
        'FIELD_ARGUMENT_TYPE_MISMATCH',
        { coordinate, types: typesOf(declared) },
        declared.map((one) => typeOf(one, false)),
      )
    const given = defaultsOf(declared)
    if (given !== null)
      yield graphFinding(
        'FIELD_ARGUMENT_DEFAULT_MISMATCH',
        { coordinate, defaults: given.values },
        given.places,
      )
    if (declared.length < field.declarations.length) yield* missingArgument(field, name, declared)
  }
}

function argumentsOf(
  declarations: readonly Declared<FieldModel>[],
): ReadonlyMap<string, readonly Declared<InputModel>[]> {
  const found = new Map<string, Declared<InputModel>[]>()
  for (const { at, model: field } of declarations)
    for (const [name, model] of field.arguments) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return found
}

function* missingArgument(
  { coordinate: field, declarations, resolving }: CheckedField,
  argument: string,
  declared: readonly Declared<InputModel>[],
): Iterable<Finding> {
  const lacking = missingAt(declarations, declared)
  const resolved = new Set(resolving.map(({ at }) => at))
  const external = lacking.filter(({ at }) => !resolved.has(at))
  const coordinate = `${field}(${argument}:)`
  const label = { kind: 'no-argument', argument } as const
  if (external.length > 0) {
    const having = declared.map(({ at }) => at)
    const facts = { field, coordinate, having, without: external.map(({ at }) => at) }
    yield graphFinding('EXTERNAL_ARGUMENT_MISSING', facts, [
      ...declared.map((one) => nameOf(one, { kind: 'declared' })),
      ...external.map((one) => nameOf(one, label)),
    ])
  }
  const requiring = declared.filter(({ model }) => isRequired(model))
  const others = lacking.filter(({ at }) => resolved.has(at))
  if (requiring.length === 0 || others.length === 0) return
  const facts = { coordinate, requiring: requiring.map(({ at }) => at), without: others.map(({ at }) => at) }
  yield graphFinding('REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH', facts, [
    ...requiring.map((one) => requiredAt(one)),
    ...others.map((one) => nameOf(one, label)),
  ])
}
