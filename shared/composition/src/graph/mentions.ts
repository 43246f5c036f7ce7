/** Reads what the types of one subgraph say about others: what they select, use, and implement. */
import { Kind, type SelectionSetNode } from 'graphql'
import { isSameList } from '../kept/same-list.ts'
import type { FieldsType, SubgraphModel, TypeModel } from '../model/model.ts'
import { namedTypeOf } from '../model/names.ts'
import { objectsByInterface } from '../model/objects-by-interface.ts'

/** Everything that is said of one type somewhere else in the same subgraph. */
export type Mentions = {
  /** Fields that a `@requires` or `@provides` selects. */
  readonly selected: ReadonlySet<string>
  /** Those that a `@requires` selects. */
  readonly required: ReadonlySet<string>
  /** Fields that keys select, also below their first level. */
  readonly inKeys: ReadonlySet<string>
  /** True for an enum that arguments and input fields have. */
  readonly isInput: boolean
  /** True for an enum that fields return. */
  readonly isOutput: boolean
  /** Members of the union, and types that implement the interface. */
  readonly subtypes: ReadonlySet<string>
  /** Object types that implement the interface and say who may see them, or a field of theirs. */
  readonly protecting: readonly FieldsType[]
}

/** Everything that one subgraph says of types, by their names. */
export type SubgraphMentions = {
  readonly model: SubgraphModel
  readonly byType: ReadonlyMap<string, Mentions>
  /** Fields with a `@requires` that have moved to other subgraphs: what they required is left out. */
  readonly moved: ReadonlySet<string>
}

/** `Product.price` with the name of the subgraph that it is taken from. */
export type StatedOverride = {
  readonly coordinate: string
  readonly type: string
  readonly from: string
  /** False for a field of an interface, which is not resolved by itself. */
  readonly isOfObject: boolean
}

/** Every `@override` of a subgraph. */
export function overridesIn({ types }: SubgraphModel): readonly StatedOverride[] {
  const found: StatedOverride[] = []
  for (const type of types.values())
    if (type.kind === 'object' || type.kind === 'interface')
      for (const { name, override } of type.fields.values())
        if (override !== null)
          found.push({
            coordinate: `${type.name}.${name}`,
            type: type.name,
            from: override.from,
            isOfObject: type.kind === 'object',
          })
  return found
}

/** Reads a subgraph. `overridden` are the fields that others take over from it. */
export function readMentions(model: SubgraphModel, overridden: ReadonlySet<string>): SubgraphMentions {
  const reader = new Reader(model.types)
  const moved = new Set<string>()
  for (const type of model.types.values()) {
    if (type.kind === 'input') for (const field of type.fields.values()) reader.use(field.type, 'isInput')
    if (type.kind === 'union') for (const member of type.members) reader.add(type.name, 'subtypes', member)
    if (type.kind !== 'object' && type.kind !== 'interface') continue
    reader.implementation(type)
    for (const { fields } of type.keys) reader.select(fields.set, type.name, ['inKeys'])
    for (const field of type.fields.values()) {
      reader.use(field.type, 'isOutput')
      for (const one of field.arguments.values()) reader.use(one.type, 'isInput')
      const isMoved = overridden.has(`${type.name}.${field.name}`)
      if (field.requires !== null && isMoved) moved.add(`${type.name}.${field.name}`)
      else if (field.requires !== null) reader.select(field.requires.set, type.name, ['selected', 'required'])
      if (field.provides !== null) reader.select(field.provides.set, namedTypeOf(field.type), ['selected'])
    }
  }
  return { model, byType: reader.found, moved }
}

/** True if both say the same. */
export function isSameMentions(one: Mentions, other: Mentions): boolean {
  if (one === other) return true
  return (
    one.isInput === other.isInput &&
    one.isOutput === other.isOutput &&
    isSameSet(one.selected, other.selected) &&
    isSameSet(one.required, other.required) &&
    isSameSet(one.inKeys, other.inKeys) &&
    isSameSet(one.subtypes, other.subtypes) &&
    isSameList(one.protecting, other.protecting)
  )
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && (one.size === 0 || [...one].every((name) => other.has(name)))
}

type Selected = 'selected' | 'required' | 'inKeys'
type Names = Selected | 'subtypes'
type MutableMentions = { [K in Names]: Set<string> } & {
  isInput: boolean
  isOutput: boolean
  protecting: FieldsType[]
}

/** Most types have no names of a kind. Nothing is ever added to this set. */
const NO_NAMES = new Set<string>()

/** Gathers the mentions of all types. */
class Reader {
  readonly found = new Map<string, MutableMentions>()
  readonly #types: ReadonlyMap<string, TypeModel>
  #objects: ReadonlyMap<string, readonly FieldsType[]> | null = null

  constructor(types: ReadonlyMap<string, TypeModel>) {
    this.#types = types
  }

  of(name: string): MutableMentions {
    let found = this.found.get(name)
    if (found === undefined) {
      found = {
        selected: NO_NAMES,
        required: NO_NAMES,
        inKeys: NO_NAMES,
        isInput: false,
        isOutput: false,
        subtypes: NO_NAMES,
        protecting: [],
      }
      this.found.set(name, found)
    }
    return found
  }

  /** Notes a name of a type's fields or subtypes. */
  add(type: string, kind: Names, name: string): void {
    const mentions = this.of(type)
    if (mentions[kind] === NO_NAMES) mentions[kind] = new Set([name])
    else mentions[kind].add(name)
  }

  /** A type is used. Only of enums it makes a difference what for. */
  use(written: string, how: 'isInput' | 'isOutput'): void {
    const name = namedTypeOf(written)
    if (this.#types.get(name)?.kind === 'enum') this.of(name)[how] = true
  }

  /** A type implements its interfaces. */
  implementation(type: FieldsType): void {
    for (const name of type.interfaces) {
      this.add(name, 'subtypes', type.name)
      if (type.kind === 'object' && isProtecting(type)) this.of(name).protecting.push(type)
    }
  }

  /** Walks a selection; a field of an interface marks those of its objects, too. */
  select(set: SelectionSetNode, typeName: string, as: readonly Selected[]): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) continue
      if (node.kind === Kind.INLINE_FRAGMENT) {
        this.select(node.selectionSet, node.typeCondition?.name.value ?? typeName, as)
        continue
      }
      const name = node.name.value
      const type = this.#types.get(typeName)
      const isMarked = as.every((one) => this.of(typeName)[one].has(name))
      for (const one of as) this.add(typeName, one, name)
      // Thousands of selections of one field mark its objects once.
      if (type?.kind === 'interface' && !isMarked)
        for (const object of this.#objectsOf(typeName)) for (const one of as) this.add(object.name, one, name)
      if (type?.kind !== 'object' && type?.kind !== 'interface') continue
      const field = type.fields.get(name)
      if (field !== undefined && node.selectionSet !== undefined)
        this.select(node.selectionSet, namedTypeOf(field.type), as)
    }
  }

  #objectsOf(interfaceName: string): readonly FieldsType[] {
    this.#objects ??= objectsByInterface(this.#types.values())
    return this.#objects.get(interfaceName) ?? []
  }
}

const PROTECTIONS: ReadonlySet<string> = new Set(['authenticated', 'requiresScopes', 'policy'])

function isProtecting({ applied, fields }: FieldsType): boolean {
  const isProtection = ({ name }: { readonly name: string }) => PROTECTIONS.has(name)
  return applied.some(isProtection) || [...fields.values()].some((field) => field.applied.some(isProtection))
}
