/** Rule: what subgraphs mark as external, some subgraph resolves. */
import { graphFinding, type GraphPlace } from '../../../findings/finding.ts'
import type { SubgraphModel } from '../../../model/model.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { selectedKey, type MergeFacts } from '../../facts.ts'
import type { CheckedField, CheckedFieldsType, GraphRule } from '../../checked/checked-graph.ts'
import { appliedAt, appliedOrName } from '../../checked/places.ts'
import type { FieldDeclaration } from '../../declarations.ts'

/** Finds types and fields that are external wherever they are. */
export const externals: GraphRule = function* externals({ objects, interfaces, subgraphs, facts }) {
  const throughInterfaces = new Map(interfaces.map((one) => [one.name, one]))
  for (const type of objects) {
    const at = type.declarations.map((one) => one.at)
    if (type.declarations.every(({ model }) => appliedTo(model.applied, 'external') !== undefined)) {
      const places = type.declarations.flatMap((one) => appliedAt(one, 'external'))
      yield graphFinding('EXTERNAL_MISSING_ON_BASE', { kind: 'type', coordinate: type.name, at }, places)
      continue
    }
    for (const field of type.fields.values()) {
      if (!field.declarations.every((one) => isExternalOnly(one, type, subgraphs, facts))) continue
      if (isGivenByInterfaceObject(type, field, throughInterfaces)) continue
      yield graphFinding(
        'EXTERNAL_MISSING_ON_BASE',
        { kind: 'field', coordinate: field.coordinate, at: field.declarations.map((one) => one.at) },
        field.declarations.map(placeOf),
      )
    }
  }
}

/** In Federation 1 a mark that nothing uses has no meaning, and an extension resolves its own keys. */
function isExternalOnly(
  { at, model, type: { isExtension } }: FieldDeclaration,
  { name }: CheckedFieldsType,
  subgraphs: readonly SubgraphModel[],
  facts: MergeFacts,
): boolean {
  const key = selectedKey(at, name, model.name)
  if (facts.inKeys.has(key)) return model.isExternal && !isExtension
  if (subgraphs[at]?.minor !== null) return model.isExternal
  return model.isExternal && facts.selected.has(key)
}

function isGivenByInterfaceObject(
  { merged }: CheckedFieldsType,
  { name }: CheckedField,
  interfaces: ReadonlyMap<string, CheckedFieldsType>,
): boolean {
  return merged.interfaces.some((implemented) =>
    interfaces
      .get(implemented)
      ?.fields.get(name)
      ?.declarations.some(({ model, type }) => type.isInterfaceObject && !model.isExternal),
  )
}

function placeOf(one: FieldDeclaration): GraphPlace {
  return appliedOrName(one, 'external')
}
