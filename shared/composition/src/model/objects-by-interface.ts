/** Looks up object types by the interfaces that they implement. */
import type { FieldsType, TypeModel } from './model.ts'

/** The object types of one subgraph by the names of their interfaces. */
export function objectsByInterface(types: Iterable<TypeModel>): ReadonlyMap<string, readonly FieldsType[]> {
  const found = new Map<string, FieldsType[]>()
  for (const type of types) {
    if (type.kind !== 'object') continue
    for (const name of type.interfaces) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [type])
      else known.push(type)
    }
  }
  return found
}
