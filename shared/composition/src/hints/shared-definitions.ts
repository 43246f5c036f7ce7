/** Types that several subgraphs define alike in kind, and the fields of them that several resolve. */
import { type Graph } from '../graph/graph.ts'
import type { Declared } from '../graph/declared.ts'
import type { FieldsType, TypeModel } from '../model/model.ts'
import { keyNames } from './key-names.ts'
import { hasFields, type FieldDeclaration } from '../graph/declarations.ts'

/** A type that at least two subgraphs define, and its fields that at least two of them resolve. */
export type SharedDefinition = {
  readonly name: string
  /** At least two, of one kind, in the order of the subgraphs. */
  readonly declarations: readonly Declared<TypeModel>[]
  readonly fields: ReadonlyMap<string, readonly FieldDeclaration[]>
}

/** The type, if several subgraphs define it; null for one that they define as different kinds. */
export function sharedDefinition(graph: Graph, name: string): SharedDefinition | null {
  const all = graph.types.get(name)
  if (all.length < 2) return null
  // An interface object is merged with the interface, field by field with no other.
  const declarations = all.filter(({ model }) => !('isInterfaceObject' in model && model.isInterfaceObject))
  const kinds = new Set(declarations.map(({ model }) => model.kind))
  if (declarations.length < 2 || kinds.size > 1) return null
  return { name, declarations, fields: sharedFields(graph, declarations, all) }
}

function sharedFields(
  graph: Graph,
  declarations: readonly Declared<TypeModel>[],
  all: readonly Declared<TypeModel>[],
): ReadonlyMap<string, readonly FieldDeclaration[]> {
  const fields = new Map<string, FieldDeclaration[]>()
  const isResolved = readResolved(graph, all.filter(hasFields))
  for (const { at, model: type } of declarations.filter(hasFields))
    for (const model of type.fields.values()) {
      const one = { at, model, type }
      if (!isResolved(one)) continue
      const known = fields.get(model.name)
      if (known === undefined) fields.set(model.name, [one])
      else known.push(one)
    }
  return new Map([...fields].filter(([, found]) => found.length > 1))
}

/**
 * Tells whether a subgraph resolves a field itself. An extension of Federation 1 resolves the fields of its
 * key, although it marks them as external. Without a key it has the one of the type's owner. Nothing says who
 * that is, so the first key of each other subgraph counts.
 */
function readResolved(
  { subgraphs }: Graph,
  all: readonly Declared<FieldsType>[],
): (one: FieldDeclaration) => boolean {
  let firstKeys: ReadonlySet<string> | null = null
  return ({ at, model, type }) => {
    if (!model.isExternal) return true
    if (type.kind !== 'object' || !type.isExtension || subgraphs[at]?.minor !== null) return false
    if (type.keys.length > 0) return keyNames(type).has(model.name)
    firstKeys ??= new Set(all.flatMap((other) => [...keyNames({ keys: other.model.keys.slice(0, 1) })]))
    return firstKeys.has(model.name)
  }
}
