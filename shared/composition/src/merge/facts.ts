/** Gathers what merging one type must know of the rest of the graph, once for all types. */
import { Kind, type SelectionSetNode } from 'graphql'
import type { FieldsType, SubgraphModel } from '../model/model.ts'
import { namedTypeOf } from '../model/names.ts'
import { readSubtypes, type Subtypes } from './type-texts.ts'

/** The subgraphs of a graph, in the order of their names, and what is known of them together. */
export type MergeFacts = {
  readonly subgraphs: readonly SubgraphModel[]
  /** The subgraph that `@override(from:)` means; -1 if there is none of this name. */
  readonly positionOf: (name: string) => number
  readonly subtypes: Subtypes
  /** Fields that a subgraph's `@requires` or `@provides` selects: `3 Product.weight`. */
  readonly selected: ReadonlySet<string>
  /** Those that a `@requires` selects. */
  readonly required: ReadonlySet<string>
  /** Fields that a subgraph's keys select, also below their first level, by the same kind of key. */
  readonly inKeys: ReadonlySet<string>
  /** Enums that are used by arguments and input fields, and those that fields return. */
  readonly enumUse: { readonly input: ReadonlySet<string>; readonly output: ReadonlySet<string> }
}

/** The key of a field in `MergeFacts.selected` and `MergeFacts.inKeys`. */
export function selectedKey(at: number, type: string, field: string): string {
  return `${at} ${type}.${field}`
}

/** Gathers the facts. `names` are those of the subgraphs, in their order, with names that they replace. */
export function gatherFacts(
  subgraphs: readonly SubgraphModel[],
  names: ReadonlyMap<string, number>,
): MergeFacts {
  const positionOf = (name: string) => names.get(name) ?? -1
  return {
    subgraphs,
    positionOf,
    subtypes: readSubtypes(subgraphs),
    ...selectedFields(subgraphs, positionOf),
    inKeys: fieldsInKeys(subgraphs),
    enumUse: enumUse(subgraphs),
  }
}

function enumUse(subgraphs: readonly SubgraphModel[]): MergeFacts['enumUse'] {
  const [input, output] = [new Set<string>(), new Set<string>()]
  for (const { types } of subgraphs)
    for (const type of types.values()) {
      if (type.kind === 'input') for (const field of type.fields.values()) input.add(namedTypeOf(field.type))
      if (type.kind !== 'object' && type.kind !== 'interface') continue
      for (const field of type.fields.values()) {
        output.add(namedTypeOf(field.type))
        for (const one of field.arguments.values()) input.add(namedTypeOf(one.type))
      }
    }
  return { input, output }
}

/** A field whose `@requires` has moved to another subgraph needs nothing any more. */
function selectedFields(
  subgraphs: readonly SubgraphModel[],
  positionOf: (name: string) => number,
): Pick<MergeFacts, 'selected' | 'required'> {
  const [selected, required] = [new Set<string>(), new Set<string>()]
  const overridden = overriddenFields(subgraphs, positionOf)
  for (const [at, { types }] of subgraphs.entries())
    for (const type of types.values()) {
      if (type.kind !== 'object' && type.kind !== 'interface') continue
      for (const field of type.fields.values()) {
        const isActive = !overridden.has(selectedKey(at, type.name, field.name))
        if (field.requires !== null && isActive)
          new Marks(at, types, required).selection(field.requires.set, type.name)
        if (field.provides !== null)
          new Marks(at, types, selected).selection(field.provides.set, namedTypeOf(field.type))
      }
    }
  for (const one of required) selected.add(one)
  return { selected, required }
}

function fieldsInKeys(subgraphs: readonly SubgraphModel[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [at, { types }] of subgraphs.entries()) {
    const mark = new Marks(at, types, found)
    for (const type of types.values())
      if (type.kind === 'object' || type.kind === 'interface')
        for (const { fields } of type.keys) mark.selection(fields.set, type.name)
  }
  return found
}

function overriddenFields(
  subgraphs: readonly SubgraphModel[],
  positionOf: (name: string) => number,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { types } of subgraphs)
    for (const type of types.values())
      if (type.kind === 'object')
        for (const field of type.fields.values())
          if (field.override !== null)
            found.add(selectedKey(positionOf(field.override.from), type.name, field.name))
  return found
}

/** Walks selections and marks their fields; a field of an interface marks those of its objects, too. */
class Marks {
  readonly #at: number
  readonly #types: SubgraphModel['types']
  readonly #found: Set<string>

  constructor(at: number, types: SubgraphModel['types'], found: Set<string>) {
    this.#at = at
    this.#types = types
    this.#found = found
  }

  selection(set: SelectionSetNode, typeName: string): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) continue
      if (node.kind === Kind.INLINE_FRAGMENT) {
        this.selection(node.selectionSet, node.typeCondition?.name.value ?? typeName)
        continue
      }
      const type = this.#types.get(typeName)
      this.#found.add(selectedKey(this.#at, typeName, node.name.value))
      if (type?.kind === 'interface') this.#objectsOf(type, node.name.value)
      if (type?.kind !== 'object' && type?.kind !== 'interface') continue
      const field = type.fields.get(node.name.value)
      if (field !== undefined && node.selectionSet !== undefined)
        this.selection(node.selectionSet, namedTypeOf(field.type))
    }
  }

  #objectsOf(type: FieldsType, field: string): void {
    for (const other of this.#types.values())
      if (other.kind === 'object' && other.interfaces.has(type.name))
        this.#found.add(selectedKey(this.#at, other.name, field))
  }
}
