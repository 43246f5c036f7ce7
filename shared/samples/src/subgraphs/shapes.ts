/**
 * Shapes of a field's values that every subgraph that answers the field can return. They are non-null where
 * the strictest subgraph promises it. Their object types and enum values are those that all of these
 * subgraphs know and clients may see.
 */
import type { CompiledEdge, CompiledType, TypeRef } from '@switchyard/engine'
import type { GraphFacts } from './graph-facts.ts'

/** The shape of a value. `Type` is how an object type is represented. */
export type Shape<Type = CompiledType> = {
  readonly nonNull: boolean
  readonly list: Shape<Type> | null
  /** The innermost value: for a list that of its items. */
  readonly leaf: Leaf<Type>
}

export type Leaf<Type = CompiledType> =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'object'; readonly types: readonly Type[] }

/** Returns the values of an enum in a subgraph. Null if the supergraph does not tell. */
export type EnumValuesIn = (enumName: string, sub: number) => ReadonlySet<string> | null

export function shapeOf(facts: GraphFacts, type: CompiledType, field: string, enums: EnumValuesIn): Shape {
  const whole = facts.declaredField(type, field).type
  const edges = facts.sources(type, field)
  const owners = [type, ...type.interfaces.map((id) => facts.type(id))]
  // What is external is said only where it is provided.
  const answering = edges.filter(
    ({ external, sub }) => !external || owners.some((owner) => facts.isProvidedSomewhere(owner, field, sub)),
  )
  const sources = answering.length > 0 ? answering : edges
  return narrowed(
    whole,
    sources.map((edge) => edge.type),
    leafOf(facts, facts.named(whole), sources, enums),
  )
}

function leafOf(
  facts: GraphFacts,
  target: CompiledType,
  sources: readonly CompiledEdge[],
  enums: EnumValuesIn,
): Leaf {
  if (target.kind === 'enum') {
    const known = sources.map(({ sub }) => enums(target.name, sub))
    const common = target.enumValues.filter(({ name }) =>
      known.every((some) => some === null || some.has(name)),
    )
    return { kind: 'enum', values: preferVisible(common).map(({ name }) => name) }
  }
  if (target.kind !== 'object' && target.kind !== 'interface' && target.kind !== 'union')
    return { kind: 'scalar', name: target.name }
  const known = sources.map((edge) => facts.runtime(facts.named(edge.type), edge.sub))
  const common = target.possible.filter((id) => known.every((some) => some === null || some.includes(id)))
  return { kind: 'object', types: preferVisible(common.map((id) => facts.type(id))) }
}

function preferVisible<Item extends { readonly inaccessible: boolean }>(
  items: readonly Item[],
): readonly Item[] {
  const visible = items.filter(({ inaccessible }) => !inaccessible)
  return visible.length > 0 ? visible : items
}

function narrowed(whole: TypeRef, declared: readonly TypeRef[], leaf: Leaf): Shape {
  const nonNull = [whole, ...declared].some((ref) => ref.nonNull)
  if (whole.kind !== 'list') return { nonNull, list: null, leaf }
  const items = declared.flatMap((ref) => (ref.kind === 'list' ? [ref.item] : []))
  return { nonNull, list: narrowed(whole.item, items, leaf), leaf }
}
