/** Rule: the arguments of a shared field fit together, and those that are required are in all subgraphs. */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { InputModel } from '../../../model/model.ts'
import type { Declared } from '../../../graph/declared.ts'
import type { Subtypes } from '../../../graph/type-texts.ts'
import { compareInputs, isRequired, missingAt, requiredAt } from '../../checked/input-values.ts'
import type { CheckedField, TypeRule } from '../../checked/checked-graph.ts'
import { nameOf } from '../../checked/places.ts'
import { declarationsByName } from '../../../graph/declarations.ts'

/** Finds arguments that not all subgraphs of a field would take. */
export const fieldArguments: TypeRule = function* fieldArguments(type, { facts }) {
  if (type.kind !== 'object' || type.declarations.length < 2) return
  for (const field of type.fields.values())
    if (field.declarations.length > 1) yield* checkField(field, facts.subtypes)
}

function* checkField(field: CheckedField, subtypes: Subtypes): Iterable<Finding> {
  const all = field.declarations.map(({ at, model }) => ({ at, model: model.arguments }))
  for (const [name, declared] of declarationsByName(all)) {
    const coordinate = `${field.coordinate}(${name}:)`
    yield* compareInputs(coordinate, declared, subtypes, CODES)
    if (declared.length < field.declarations.length) yield* missingArgument(field, name, declared)
  }
}

const CODES = { type: 'FIELD_ARGUMENT_TYPE_MISMATCH', default: 'FIELD_ARGUMENT_DEFAULT_MISMATCH' } as const

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
