/** Rule: one subgraph takes a field over from another that resolved it. */
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import { appliedTo } from '../../../model/read-types.ts'
import type { MergeFacts } from '../../../graph/facts.ts'
import type { CheckedField, TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt } from '../../checked/places.ts'
import type { FieldDeclaration } from '../../../graph/declarations.ts'

/** Finds fields that several subgraphs take over, and those that move under a label with their needs. */
export const overrides: TypeRule = function* overrides(type, { facts }) {
  if (type.kind !== 'object') return
  for (const field of type.fields.values()) {
    const taking = field.declarations.filter((one) => sourceOf(one, field, facts) !== undefined)
    if (taking.length === 0) continue
    yield* severalOverrides(field, taking, facts)
    for (const one of taking) yield* labelWithRequires(field, one, facts)
  }
}

/** The declaration from which a field is taken over. There is none in a subgraph that lacks the field. */
function sourceOf(
  { model: { override }, at }: FieldDeclaration,
  { declarations }: CheckedField,
  facts: MergeFacts,
): FieldDeclaration | undefined {
  if (override === null) return undefined
  const source = facts.positionOf(override.from)
  return source === at ? undefined : declarations.find((one) => one.at === source)
}

function* severalOverrides(
  field: CheckedField,
  taking: readonly FieldDeclaration[],
  facts: MergeFacts,
): Iterable<Finding> {
  if (taking.length < 2) return
  const at = taking.map((one) => one.at)
  const places = taking.flatMap((one) => appliedAt(one, 'override'))
  const isChain = taking.some((one) => {
    const source = sourceOf(one, field, facts)
    return source !== undefined && at.includes(source.at)
  })
  if (isChain) yield graphFinding('OVERRIDE_SOURCE_HAS_OVERRIDE', { field: field.coordinate, at }, places)
  else if (!taking.every(isMarkedShareable))
    yield graphFinding('INVALID_FIELD_SHARING', { kind: 'overrides', field: field.coordinate, at }, places)
}

function isMarkedShareable({ model, type }: FieldDeclaration): boolean {
  return [model, type].some(({ applied }) => appliedTo(applied, 'shareable') !== undefined)
}

function* labelWithRequires(
  field: CheckedField,
  taking: FieldDeclaration,
  facts: MergeFacts,
): Iterable<Finding> {
  const source = sourceOf(taking, field, facts)
  if (taking.model.override?.label === null || source === undefined || source.model.requires === null) return
  yield graphFinding(
    'OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE',
    { kind: 'label', field: field.coordinate, at: taking.at, source: source.at },
    [...appliedAt(taking, 'override'), ...appliedAt(source, 'requires')],
  )
}
