/** Rule: who resolves an interface by its key knows its types, and an interface object has an interface. */
import { graphFinding, type Finding } from '../../../findings/finding.ts'
import type { FieldsType } from '../../../model/model.ts'
import type { Declared } from '../../merged.ts'
import type { CheckedFieldsType, CheckedGraph, GraphRule } from '../../checked/checked-graph.ts'
import { appliedAt, firstNameOf, place } from '../../checked/places.ts'

/** The version since which an interface can have a key. */
const KEYS_ON_INTERFACES_SINCE = 3

/** Finds interface objects without an interface, and keys of interfaces whose types are not all known. */
export const interfaces: GraphRule = function* interfaces(graph) {
  const objects = objectsByInterface(graph)
  for (const type of graph.interfaces) {
    if (type.declarations.every(({ model }) => model.isInterfaceObject))
      yield graphFinding(
        'INTERFACE_OBJECT_USAGE_ERROR',
        { kind: 'no-interface', type: type.name, at: type.declarations.map(({ at }) => at) },
        type.declarations.flatMap((one) => appliedAt(one, 'interfaceObject')),
      )
    const known = objects.get(type.name)
    if (known !== undefined) for (const one of type.declarations) yield* unknownTypes(graph, type, one, known)
  }
}

/** The object types that implement an interface in some subgraph, with the declarations that do. */
type Implementing = ReadonlyMap<string, readonly Declared<FieldsType>[]>

function objectsByInterface({ objects }: CheckedGraph): ReadonlyMap<string, Implementing> {
  const found = new Map<string, Map<string, Declared<FieldsType>[]>>()
  for (const { name, declarations } of objects)
    for (const one of declarations)
      for (const implemented of one.model.interfaces) {
        const types = found.get(implemented) ?? new Map<string, Declared<FieldsType>[]>()
        found.set(implemented, types)
        const known = types.get(name)
        if (known === undefined) types.set(name, [one])
        else known.push(one)
      }
  return found
}

function* unknownTypes(
  { subgraphs }: CheckedGraph,
  { name: type }: CheckedFieldsType,
  { at, model }: Declared<FieldsType>,
  implementing: Implementing,
): Iterable<Finding> {
  const key = model.keys.find(({ isResolvable }) => isResolvable)
  const minor = subgraphs[at]?.minor ?? -1
  if (key === undefined || model.isInterfaceObject || minor < KEYS_ON_INTERFACES_SINCE) return
  const unknown = [...implementing].filter(([, declared]) => !declared.some((one) => one.at === at))
  if (unknown.length === 0) return
  unknown.sort(([a], [b]) => (a < b ? -1 : 1))
  const places = unknown.flatMap(([, declared]) =>
    declared.flatMap((one) => firstNameOf(one, { kind: 'implements', type })),
  )
  yield graphFinding(
    'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    { type, at, missing: unknown.map(([name]) => name) },
    [place(at, key.node), ...places],
  )
}
