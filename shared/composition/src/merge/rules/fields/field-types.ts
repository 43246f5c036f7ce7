/**
 * Rule: the types of a shared field fit together, so that one of them is wider than all others. The type of
 * an external field is the published one, or promises more by its nullability.
 */
import type { Finding } from '../../../findings/finding.ts'
import { graphFinding, newFinding } from '../../../findings/finding.ts'
import type { MergeFacts } from '../../../graph/facts.ts'
import { isNarrower } from '../../../graph/type-texts.ts'
import { typesOf } from '../../checked/input-values.ts'
import type { CheckedField, CheckedFieldsType, TypeRule } from '../../checked/checked-graph.ts'
import { typeOf } from '../../checked/places.ts'
import type { FieldDeclaration } from '../../../graph/declarations.ts'

/** Finds fields whose types do not fit. */
export const fieldTypes: TypeRule = function* fieldTypes(type, { facts }) {
  if (type.kind === 'interface') for (const found of ofInterface(type, facts)) yield newFinding(found)
  if (type.kind !== 'object' || type.declarations.length < 2) return
  for (const field of type.fields.values()) {
    const published = field.merged?.type
    if (published !== undefined && isUneven(field)) yield* checkField(type, field, published, facts)
  }
}

function* ofInterface({ fields }: CheckedFieldsType, facts: MergeFacts): Iterable<Finding> {
  for (const { coordinate, declarations, resolving, merged } of fields.values()) {
    const published = merged?.type
    const isFitting = ({ model }: FieldDeclaration) =>
      published !== undefined && isNarrower(model.type, published, facts.subtypes)
    if (published === undefined) continue
    const places = declarations.map((one) => typeOf(one, one.model.isExternal))
    if (!resolving.every(isFitting)) {
      yield graphFinding('FIELD_TYPE_MISMATCH', { coordinate, types: typesOf(resolving) }, places)
      continue
    }
    const resolved = new Set(resolving.map(({ model }) => model.type))
    const wrong = declarations.filter(
      ({ model }) =>
        model.isExternal && !resolved.has(model.type) && !isNarrower(model.type, published, NO_SUBTYPES),
    )
    if (wrong.length > 0 && resolving.length > 0)
      yield graphFinding('EXTERNAL_TYPE_MISMATCH', { coordinate, published, types: typesOf(wrong) }, places)
  }
}

/** True if the declarations have different types at all. */
function isUneven({ declarations: [first, ...others] }: CheckedField): boolean {
  return others.some(({ model }) => model.type !== first?.model.type)
}

function* checkField(
  type: CheckedFieldsType,
  { coordinate, name, declarations, resolving }: CheckedField,
  published: string,
  facts: MergeFacts,
): Iterable<Finding> {
  const resolved = new Set(resolving)
  const isKeyField = declarations.some(({ at }) => facts.isInKeys(at, type.name, name))
  const isFitting = (one: FieldDeclaration) =>
    isNarrower(one.model.type, published, resolved.has(one) ? facts.subtypes : NO_SUBTYPES)
  const counted = isKeyField ? declarations : resolving
  const places = declarations.map((one) => typeOf(one, one.model.isExternal))
  if (!counted.every(isFitting)) {
    yield graphFinding('FIELD_TYPE_MISMATCH', { coordinate, types: typesOf(counted) }, places)
    return
  }
  if (isKeyField || resolving.length === 0) return
  const wrong = declarations.filter((one) => !resolved.has(one) && !isFitting(one))
  if (wrong.length > 0)
    yield graphFinding('EXTERNAL_TYPE_MISMATCH', { coordinate, published, types: typesOf(wrong) }, places)
}

const NO_SUBTYPES: MergeFacts['subtypes'] = new Map()
