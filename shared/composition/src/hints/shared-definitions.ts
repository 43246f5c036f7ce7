/** Types that several subgraphs define alike in kind, and the fields of them that several resolve. */
import type { FieldDefinitionNode } from 'graphql'
import type { Located } from '../locations/place.ts'
import { isExternal, isInterfaceObject, type SubgraphType } from '../subgraph/subgraph.ts'

/**
 * Names of the types and fields that every subgraph has for routers. Some frameworks print them and others do
 * not, and no client sees any of them.
 */
const FOR_ROUTERS: ReadonlySet<string> = new Set(['_Service', '_Entity', '_Any', '_service', '_entities'])

/** A type in one of the subgraphs that define it. */
export type TypeIn = { readonly one: Located; readonly type: SubgraphType }

/** A field in one of the subgraphs that resolve it. */
export type FieldIn = TypeIn & { readonly field: FieldDefinitionNode }

/** A type that at least two subgraphs define, and its fields that at least two of them resolve. */
export type SharedDefinition = {
  readonly name: string
  readonly kind: SubgraphType['kind']
  /** At least two, in the order of the subgraphs. */
  readonly types: readonly TypeIn[]
  readonly fields: ReadonlyMap<string, readonly FieldIn[]>
}

/** All types that several subgraphs define. A type that they define as different kinds is left out. */
export function sharedDefinitions(located: readonly Located[]): readonly SharedDefinition[] {
  return [...sharedTypes(located)].flatMap(([name, types]) => {
    const kinds = new Set(types.map(({ type }) => type.kind))
    const [kind] = kinds
    return kind === undefined || kinds.size > 1 ? [] : [{ name, kind, types, fields: sharedFields(types) }]
  })
}

function sharedTypes(located: readonly Located[]): ReadonlyMap<string, readonly TypeIn[]> {
  const types = new Map<string, TypeIn[]>()
  for (const one of located)
    for (const type of one.subgraph.types.values()) {
      if (FOR_ROUTERS.has(type.name)) continue
      // An interface object is merged with the interface, field by field with no other.
      if (isInterfaceObject(one.subgraph, type)) continue
      const known = types.get(type.name)
      if (known === undefined) types.set(type.name, [{ one, type }])
      else known.push({ one, type })
    }
  return new Map([...types].filter(([, found]) => found.length > 1))
}

function sharedFields(types: readonly TypeIn[]): ReadonlyMap<string, readonly FieldIn[]> {
  const fields = new Map<string, FieldIn[]>()
  for (const { one, type } of types)
    for (const field of type.fields.values()) {
      if (FOR_ROUTERS.has(field.name.value) || isExternal(one.subgraph, type, field)) continue
      const known = fields.get(field.name.value)
      if (known === undefined) fields.set(field.name.value, [{ one, type, field }])
      else known.push({ one, type, field })
    }
  return new Map([...fields].filter(([, found]) => found.length > 1))
}
