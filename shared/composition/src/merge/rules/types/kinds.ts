/** Rule: a type is of one kind in all subgraphs. An interface object counts as an interface. */
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import type { TypeKind } from '../../../catalogue/type-kinds.ts'
import type { TypeModel } from '../../../model/model.ts'
import type { Graph } from '../../../graph/graph.ts'
import type { Declared } from '../../../graph/declared.ts'
import { namesOf } from '../../checked/places.ts'

/**
 * Finds types of several kinds, by name, among those that changed. No other rule says anything of these: they
 * cannot be merged.
 */
export function findKindMismatches({ types, changed }: Graph): ReadonlyMap<string, Finding> {
  const found = new Map<string, Finding>()
  for (const type of [...changed].sort()) {
    const declarations = types.get(type)
    const byKind = Map.groupBy(declarations, ({ model }) => kindOf(model))
    if (byKind.size < 2) continue
    const written = Map.groupBy(declarations, writtenKind)
    const kinds = [...written].map(([kind, same]) => ({ kind, at: same.map(({ at }) => at) }))
    const places = declarations.flatMap((one) => namesOf(one, { kind: 'kind', of: writtenKind(one) }))
    found.set(type, graphFinding('TYPE_KIND_MISMATCH', { type, kinds }, places))
  }
  return found
}

function kindOf(model: TypeModel): TypeKind {
  return isInterfaceObject(model) ? 'interface' : model.kind
}

function writtenKind({ model }: Declared<TypeModel>): TypeKind | 'interface-object' {
  return isInterfaceObject(model) ? 'interface-object' : model.kind
}

function isInterfaceObject(model: TypeModel): boolean {
  return model.kind === 'object' && model.isInterfaceObject
}
