/** Rule: a field that several subgraphs resolve is shared by all of them, or belongs to a key. */
import { graphFinding, newFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import type { MergeFacts } from '../../../graph/facts.ts'
import { isKeyField } from '../../merge-field.ts'
import { nameOf } from '../../checked/places.ts'
import type { CheckedField, CheckedFieldsType, CheckedGraph, TypeRule } from '../../checked/checked-graph.ts'
import { forgottenKey, placesOfForgottenKey } from './forgotten-keys.ts'
import type { FieldDeclaration } from '../../../graph/declarations.ts'

/** Finds fields that subgraphs resolve without sharing them. */
export const sharing: TypeRule = function* sharing(type, graph) {
  if (type.kind === 'interface') {
    for (const field of type.fields.values())
      yield* finding(type, field, resolversThrough([type], field, graph.facts))
    yield* throughOthers(type, graph)
  }
  if (type.kind !== 'object') return
  if (type.name === 'Subscription') {
    yield* sharedSubscriptions(type)
    return
  }
  const through = type.merged.interfaces.flatMap((name) => graph.interface(name) ?? [])
  for (const field of type.fields.values()) yield* ofObject(graph, type, field, through)
}

/** One of the subgraphs that resolve a field. */
type Resolver = {
  readonly declaration: FieldDeclaration
  readonly isShared: boolean
  /** The interface of the interface object through which the field is resolved. */
  readonly through: string | null
}

/** A subscription is a stream, and one subgraph keeps it. */
function* sharedSubscriptions({ fields }: CheckedFieldsType): Iterable<Finding> {
  for (const { coordinate, declarations } of fields.values()) {
    if (declarations.length < 2) continue
    const at = declarations.map((one) => one.at)
    yield graphFinding(
      'INVALID_FIELD_SHARING',
      { kind: 'subscription', field: coordinate, at },
      declarations.map((one) => nameOf(one, { kind: 'resolved' })),
    )
  }
}

function* ofObject(
  graph: CheckedGraph,
  type: CheckedFieldsType,
  field: CheckedField,
  interfaces: readonly CheckedFieldsType[],
): Iterable<Finding> {
  const { facts } = graph
  const isEntity = type.declarations.some(({ model }) => model.keys.length > 0)
  const own = field.resolving
    .filter((one) => !takesOver(one, field, facts))
    .map((declaration) => {
      const isShared =
        declaration.model.isShareable ||
        isInKey(declaration, facts) ||
        (isEntity && isOldExtension(declaration, graph))
      return { declaration, isShared, through: null }
    })
  const isAlone = interfaces.length === 0 || own.every(({ isShared }) => isShared)
  const others = isAlone ? [] : resolversThrough(interfaces, field, facts)
  yield* finding(type, field, [...own, ...others])
}

/**
 * Finds fields that the objects of an interface have from an interface object of it and from one of another
 * interface, in another subgraph. Each is told once, of the first object, and by the first interface.
 */
function* throughOthers(type: CheckedFieldsType, graph: CheckedGraph): Iterable<Finding> {
  if (!hasInterfaceObject(type)) return
  const doubled = new Map<string, Map<CheckedField, readonly Resolver[]>>()
  for (const name of [...graph.types.of(type.name).subtypes].sort()) {
    const object = graph.type(name)
    if (object?.kind !== 'object') continue
    for (const implemented of object.merged.interfaces) {
      if (implemented <= type.name) continue
      const fields = doubled.get(implemented) ?? doubledFields(type, graph.interface(implemented), graph)
      doubled.set(implemented, fields)
      for (const [field, resolvers] of fields) {
        if ((object.fields.get(field.name)?.resolving.length ?? 0) > 0) continue
        fields.delete(field)
        const onObject = { ...field, coordinate: `${name}.${field.name}` }
        for (const found of finding(object, onObject, resolvers)) yield newFinding(found)
      }
    }
  }
}

function hasInterfaceObject({ declarations }: CheckedFieldsType): boolean {
  return declarations.some(({ model }) => model.isInterfaceObject)
}

/** Fields that interface objects of two interfaces resolve, in several subgraphs. */
function doubledFields(
  one: CheckedFieldsType,
  other: CheckedFieldsType | null,
  { facts }: CheckedGraph,
): Map<CheckedField, readonly Resolver[]> {
  const found = new Map<CheckedField, readonly Resolver[]>()
  if (other === null || !hasInterfaceObject(other)) return found
  for (const field of one.fields.values()) {
    const sides = [one, other].map((type) => resolversThrough([type], field, facts))
    if (sides.some((resolvers) => resolvers.length === 0)) continue
    const resolvers = sides.flat().sort((a, b) => a.declaration.at - b.declaration.at)
    if (new Set(resolvers.map(({ declaration }) => declaration.at)).size > 1) found.set(field, resolvers)
  }
  return found
}

/** The subgraph from which the field is taken over is counted in its place. */
function takesOver(
  { at, model }: FieldDeclaration,
  { declarations }: CheckedField,
  facts: MergeFacts,
): boolean {
  if (model.override === null) return false
  const source = facts.positionOf(model.override.from)
  return source !== at && declarations.some((one) => one.at === source)
}

function isInKey({ at, model, type }: FieldDeclaration, facts: MergeFacts): boolean {
  return facts.isInKeys(at, type.name, model.name)
}

/** In Federation 1 an extension may resolve whatever the owner of the entity resolves. */
function isOldExtension({ at, type }: FieldDeclaration, { subgraphs }: CheckedGraph): boolean {
  return subgraphs[at]?.minor === null && type.isExtension
}

/** The interface objects that resolve a field of this name. */
function resolversThrough(
  interfaces: readonly CheckedFieldsType[],
  { name }: CheckedField,
  facts: MergeFacts,
): readonly Resolver[] {
  return interfaces.flatMap(({ name: through, fields }) => {
    const field = fields.get(name)
    if (field === undefined || field.declarations.some((one) => isInKey(one, facts))) return []
    return field.resolving
      .filter((one) => one.type.isInterfaceObject && !takesOver(one, field, facts))
      .map((declaration) => ({ declaration, isShared: declaration.model.isShareable, through }))
  })
}

function* finding(
  type: CheckedFieldsType,
  { coordinate, name }: CheckedField,
  resolvers: readonly Resolver[],
): Iterable<Finding> {
  if (resolvers.length < 2 || resolvers.every(({ isShared }) => isShared)) return
  const forgotten = forgottenKey(
    type,
    name,
    resolvers.map(({ declaration }) => declaration.at),
  )
  const facts = {
    kind: 'field',
    field: coordinate,
    resolvers: resolvers.map(({ declaration: { at }, isShared, through }) => ({ at, isShared, through })),
    forgotten: forgotten?.facts ?? null,
  } as const
  const places = resolvers.map((one) => placeOf(one))
  yield graphFinding('INVALID_FIELD_SHARING', facts, [
    ...places,
    ...(forgotten === null ? [] : placesOfForgottenKey(type, forgotten)),
  ])
}

function placeOf({ declaration }: Resolver): GraphPlace {
  const { model, type } = declaration
  const isPartOfKey = isKeyField(type, model.name)
  return nameOf(declaration, {
    kind: 'sharing',
    as: isPartOfKey ? 'key' : model.isShareable ? 'shared' : 'alone',
  })
}
