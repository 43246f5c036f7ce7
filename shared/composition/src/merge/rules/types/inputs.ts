/** Rule: the fields of an input type fit together, and those that are required are in all its subgraphs. */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { InputModel } from '../../../model/model.ts'
import type { Declared } from '../../../graph/declared.ts'
import { compareInputs, isRequired, missingAt, requiredAt } from '../../checked/input-values.ts'
import type { CheckedInput, TypeRule } from '../../checked/checked-graph.ts'
import { firstNameOf } from '../../checked/places.ts'
import { declarationsByName } from '../../../graph/declarations.ts'

/** Finds input types whose merged fields would not be taken everywhere. */
export const inputs: TypeRule = function* inputs(type, { facts }) {
  if (type.kind !== 'input' || type.declarations.length < 2) return
  if (type.merged.fields.length === 0) yield emptyInput(type)
  const fields = type.declarations.map(({ at, model }) => ({ at, model: model.fields }))
  for (const [field, declared] of declarationsByName(fields)) {
    const coordinate = `${type.name}.${field}`
    yield* compareInputs(coordinate, declared, facts.subtypes, CODES)
    if (declared.length < type.declarations.length) yield* missingField(type, coordinate, field, declared)
  }
}

const CODES = { type: 'FIELD_TYPE_MISMATCH', default: 'INPUT_FIELD_DEFAULT_MISMATCH' } as const

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
