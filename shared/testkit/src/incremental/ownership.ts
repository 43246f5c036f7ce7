/**
 * Which fragment delivers a field, for one type of the object that it is on; and which fragments deliver
 * anything at all.
 */
import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'
import type { FieldSelection, FragmentSelection, ReadOperation, Selection, Usage } from './usages.ts'

/** Everything selected under one response key of one object. */
export type Collected = {
  readonly key: string
  readonly name: string
  readonly occurrences: readonly FieldSelection[]
  /** The fragment that delivers the field. 0 is the initial part. */
  readonly owner: number
  /** The other fragments that select it; their fields are not all there before the owner's are. */
  readonly holds: readonly number[]
  /** The fragments among them that deliver it if the owner fails. Nested ones fail with the owner. */
  readonly heirs: readonly number[]
}

/** The fields of an object of one type, in the order of their first appearance. */
export function collect(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selections: readonly Selection[],
): readonly Collected[] {
  const byKey = new Map<string, FieldSelection[]>()
  const visit = (selection: Selection): void => {
    if (selection.kind === 'field') {
      const known = byKey.get(selection.key)
      if (known === undefined) byKey.set(selection.key, [selection])
      else known.push(selection)
    } else if (appliesTo(schema, selection, type)) selection.children.forEach(visit)
  }
  selections.forEach(visit)
  return [...byKey].map(([key, occurrences]) => ({
    key,
    name: occurrences[0]?.node.name.value ?? key,
    occurrences,
    ...ownerOf(occurrences),
  }))
}

export function appliesTo(
  schema: GraphQLSchema,
  { condition }: FragmentSelection,
  type: GraphQLObjectType,
): boolean {
  if (condition === null || condition === type.name) return true
  const wanted = schema.getType(condition)
  return isAbstractType(wanted) && schema.isSubType(wanted, type)
}

/** Selected without defer anywhere: initial. Else the earliest of the outermost fragments that select it. */
function ownerOf(occurrences: readonly FieldSelection[]): Pick<Collected, 'owner' | 'holds' | 'heirs'> {
  const usages = new Set<Usage>()
  for (const { usage } of occurrences) {
    if (usage === null) return { owner: 0, holds: [], heirs: [] }
    usages.add(usage)
  }
  const outermost = [...usages].filter((usage) => !ancestorsOf(usage).some((other) => usages.has(other)))
  const owner = Math.min(...outermost.map(({ id }) => id))
  const others = (some: Iterable<Usage>) => [...some].map(({ id }) => id).filter((id) => id !== owner)
  return { owner, holds: others(usages), heirs: others(outermost) }
}

export function ancestorsOf(usage: Usage): readonly Usage[] {
  return usage.parent === null ? [] : [usage.parent, ...ancestorsOf(usage.parent)]
}

/** Returns the selections below a field. */
export function below({ occurrences }: Collected): readonly Selection[] {
  return occurrences.flatMap(({ children }) => children)
}

/** Returns the type of a field. Null for `__typename`, which belongs to its object. */
export function fieldType(parent: GraphQLObjectType, name: string): GraphQLOutputType | null {
  if (name === '__typename') return null
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef.type
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef.type
  const field = parent.getFields()[name]
  if (field === undefined) throw new Error(`${parent.name} has no field ${name}`)
  return field.type
}

export type Ownership = {
  /** Fragments that own a field of some type, or deliver it if its owner fails. The others are dropped. */
  readonly live: ReadonlySet<number>
  /** The owners of a selected field, for some type of its object. */
  readonly ownersOf: ReadonlyMap<FieldSelection, ReadonlySet<number>>
}

/** Looks at every type that an object may have. */
export function readOwnership(
  schema: GraphQLSchema,
  { selections }: ReadOperation,
  root: GraphQLObjectType,
): Ownership {
  const live = new Set<number>()
  const owners = new Map<FieldSelection, Set<number>>()
  const visited = new Set<string>()
  const numbers = new Map<Selection, number>()
  const numberOf = (selection: Selection) => {
    if (!numbers.has(selection)) numbers.set(selection, numbers.size)
    return numbers.get(selection)
  }
  const visit = (parent: GraphQLObjectType, selected: readonly Selection[]): void => {
    const place = `${parent.name} ${selected.map(numberOf).join()}`
    if (visited.has(place)) return
    visited.add(place)
    for (const field of collect(schema, parent, selected)) {
      const type = fieldType(parent, field.name)
      if (type === null) continue
      for (const id of [field.owner, ...field.heirs]) live.add(id)
      for (const occurrence of field.occurrences) {
        const known = owners.get(occurrence) ?? new Set()
        owners.set(occurrence, known.add(field.owner))
      }
      const named = getNamedType(type)
      if (!isCompositeType(named)) continue
      const children = below(field)
      for (const possible of isObjectType(named) ? [named] : schema.getPossibleTypes(named))
        visit(possible, children)
    }
  }
  visit(root, selections)
  return { live, ownersOf: owners }
}
