/** A compiled graph with names in the place of numbers, which depend on the graphs before it. */
import type { CompiledGraph, FieldSet, TypeRef } from '@switchyard/engine'

/** Equal for graphs that mean the same. Types that are gone are not part of it. */
export function graphByNames({ types, removed, roots, ...rest }: CompiledGraph) {
  const gone = new Set(removed)
  const nameOf = (id: number) => (gone.has(id as never) ? `${types[id]?.name} (gone)` : types[id]?.name)
  const ref = (one: TypeRef): unknown =>
    one.kind === 'named' ? { ...one, type: nameOf(one.type) } : { ...one, item: ref(one.item) }
  const fieldSet = (set: FieldSet): unknown =>
    set.map((item) =>
      item.kind === 'on'
        ? { ...item, type: nameOf(item.type), below: fieldSet(item.below) }
        : { ...item, below: item.below === null ? null : fieldSet(item.below) },
    )
  const named = types
    .filter(({ id }) => !gone.has(id))
    .map(({ id, name, interfaces, possible, fields, presence, ...type }) => ({
      ...type,
      name,
      id: nameOf(id),
      interfaces: interfaces.map(nameOf),
      possible: possible.map(nameOf),
      fields: fields.map((field) => ({
        ...field,
        type: ref(field.type),
        edges: field.edges.map((edge) => ({
          ...edge,
          type: ref(edge.type),
          requires:
            edge.requires === null ? null : { ...edge.requires, fieldSet: fieldSet(edge.requires.fieldSet) },
          provides: edge.provides === null ? null : fieldSet(edge.provides),
        })),
      })),
      presence: presence.map((one) => ({
        ...one,
        runtime: one.runtime.map(nameOf),
        keys: one.keys.map((key) => ({ ...key, fieldSet: fieldSet(key.fieldSet) })),
      })),
    }))
  return {
    ...rest,
    roots: Object.fromEntries(
      Object.entries(roots).map(([root, id]) => [root, id === -1 ? null : nameOf(id)]),
    ),
    types: new Map(named.map((type) => [type.name, type])),
  }
}
