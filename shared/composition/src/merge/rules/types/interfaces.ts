/**
 * Rule: who resolves an interface by its key knows its types, an interface object has an interface, and no
 * other interface implements that.
 */
import { graphFinding, newFinding, type Finding } from '../../../findings/finding.ts'
import type { FieldsType } from '../../../model/model.ts'
import type { Declared } from '../../../graph/declared.ts'
import { hasFields } from '../../../graph/declarations.ts'
import { isOfInterfaceObjects } from '../../checked/interface-objects.ts'
import type { CheckedFieldsType, CheckedGraph, TypeRule } from '../../checked/checked-graph.ts'
import { appliedAt, firstNameOf, place } from '../../checked/places.ts'

/** The version since which an interface can have a key. */
const KEYS_ON_INTERFACES_SINCE = 3

/** Finds interface objects without an interface, and keys of interfaces whose types are not all known. */
export const interfaces: TypeRule = function* interfaces(type, graph) {
  if (type.kind !== 'interface') return
  if (type.declarations.every(({ model }) => model.isInterfaceObject))
    yield graphFinding(
      'INTERFACE_OBJECT_USAGE_ERROR',
      { kind: 'no-interface', type: type.name, at: type.declarations.map(({ at }) => at) },
      type.declarations.flatMap((one) => appliedAt(one, 'interfaceObject')),
    )
  for (const one of type.declarations) yield* unknownTypes(graph, type, one)
  yield* implementedObjects(type, graph)
}

/**
 * Finds interface objects whose interface another interface implements. Versions before took them where the
 * other interface lacks no field of the interface object.
 */
function* implementedObjects(type: CheckedFieldsType, graph: CheckedGraph): Iterable<Finding> {
  for (const name of type.merged.interfaces) {
    const implemented = graph.interface(name)
    const objects = implemented?.declarations.filter(({ model }) => model.isInterfaceObject) ?? []
    if (implemented === null || objects.length === 0) continue
    const found = graphFinding(
      'INTERFACE_OBJECT_USAGE_ERROR',
      { kind: 'implemented', type: name, by: type.name },
      [
        ...type.declarations.flatMap((one) => (one.model.interfaces.has(name) ? firstNameOf(one) : [])),
        ...objects.flatMap((one) => appliedAt(one, 'interfaceObject')),
      ],
    )
    yield lacksField(type, implemented) ? found : newFinding(found)
  }
}

/** Whether the type lacks a field that interface objects alone give to the interface. */
function lacksField({ fields }: CheckedFieldsType, { fields: expected }: CheckedFieldsType): boolean {
  return [...expected.values()].some((field) => !fields.has(field.name) && isOfInterfaceObjects(field))
}

/** The object types that implement an interface in some subgraph, with the declarations that do. */
function implementing(
  { types }: CheckedGraph,
  name: string,
): readonly (readonly [string, readonly Declared<FieldsType>[]])[] {
  return [...types.of(name).subtypes].sort().flatMap((subtype) => {
    const declarations = types
      .get(subtype)
      .filter(hasFields)
      .filter(({ model }) => model.interfaces.has(name))
    const isObject = declarations.some(({ model }) => model.kind === 'object' && !model.isInterfaceObject)
    return isObject ? [[subtype, declarations] as const] : []
  })
}

function* unknownTypes(
  graph: CheckedGraph,
  { name: type }: CheckedFieldsType,
  { at, model }: Declared<FieldsType>,
): Iterable<Finding> {
  const key = model.keys.find(({ isResolvable }) => isResolvable)
  const minor = graph.subgraphs[at]?.minor ?? -1
  if (key === undefined || model.isInterfaceObject || minor < KEYS_ON_INTERFACES_SINCE) return
  const unknown = implementing(graph, type).filter(([, declared]) => !declared.some((one) => one.at === at))
  if (unknown.length === 0) return
  const places = unknown.flatMap(([, declared]) =>
    declared.flatMap((one) => firstNameOf(one, { kind: 'implements', type })),
  )
  yield graphFinding(
    'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    { type, at, missing: unknown.map(([name]) => name) },
    [place(at, key.node), ...places],
  )
}
