/** Rule: what subgraphs mark as external, some subgraph resolves. */
import { graphFinding, type GraphPlace } from '../../../findings/finding.ts'
import { appliedTo } from '../../../model/read-types.ts'
import type { CheckedField, CheckedFieldsType, CheckedGraph, TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt, appliedOrName } from '../../checked/places.ts'
import type { FieldDeclaration } from '../../../graph/declarations.ts'

/** Finds types and fields that are external wherever they are. */
export const externals: TypeRule = function* externals(type, graph) {
  if (type.kind !== 'object') return
  const at = type.declarations.map((one) => one.at)
  if (type.declarations.every(({ model }) => appliedTo(model.applied, 'external') !== undefined)) {
    const places = type.declarations.flatMap((one) => appliedAt(one, 'external'))
    yield graphFinding('EXTERNAL_MISSING_ON_BASE', { kind: 'type', coordinate: type.name, at }, places)
    return
  }
  for (const field of type.fields.values()) {
    if (!field.declarations.every((one) => isExternalOnly(one, type, graph))) continue
    if (isGivenByInterfaceObject(type, field, graph)) continue
    yield graphFinding(
      'EXTERNAL_MISSING_ON_BASE',
      { kind: 'field', coordinate: field.coordinate, at: field.declarations.map((one) => one.at) },
      field.declarations.map(placeOf),
    )
  }
}

/** In Federation 1 a mark that nothing uses has no meaning, and an extension resolves its own keys. */
function isExternalOnly(
  { at, model, type: { isExtension } }: FieldDeclaration,
  { name }: CheckedFieldsType,
  { facts }: CheckedGraph,
): boolean {
  if (facts.isInKeys(at, name, model.name)) return model.isExternal && !isExtension
  if (facts.subgraphs[at]?.minor !== null) return model.isExternal
  return model.isExternal && facts.isSelected(at, name, model.name)
}

function isGivenByInterfaceObject(
  { merged }: CheckedFieldsType,
  { name }: CheckedField,
  graph: CheckedGraph,
): boolean {
  return merged.interfaces.some((implemented) =>
    graph
      .interface(implemented)
      ?.fields.get(name)
      ?.declarations.some(({ model, type }) => type.isInterfaceObject && !model.isExternal),
  )
}

function placeOf(one: FieldDeclaration): GraphPlace {
  return appliedOrName(one, 'external')
}
