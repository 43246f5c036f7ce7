/** Which subgraphs declare a field, and which of them resolve it. */
import { type Graph } from '../graph/graph.ts'
import { isExternal, isKeyField } from '../merge/merge-field.ts'
import type { Declared } from '../graph/declared.ts'
import type { ConstDirectiveNode } from 'graphql'
import type { FieldsType } from '../model/model.ts'
import { declaredFields, hasFields, type FieldDeclaration } from '../graph/declarations.ts'

/** A coordinate, taken apart. */
export type FieldName = { readonly type: string; readonly name: string }

/** Takes `Type.field` apart. */
export function fieldName(coordinate: string): FieldName {
  const [type = '', name = ''] = coordinate.split('.')
  return { type, name }
}

/** Looks up fields in all subgraphs, also where an interface object gives them to a type. */
export class Declarations {
  readonly #graph: Graph
  readonly #types = new Map<string, readonly Declared<FieldsType>[]>()
  readonly #fields = new Map<string, ReadonlyMap<string, readonly FieldDeclaration[]>>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  /** Every declaration of a field, by the positions of the subgraphs. */
  of({ type, name }: FieldName): readonly FieldDeclaration[] {
    let fields = this.#fields.get(type)
    if (fields === undefined) {
      fields = declaredFields(this.#entities(type))
      this.#fields.set(type, fields)
    }
    return fields.get(name) ?? []
  }

  /** The declaration of a field on one type of one subgraph. */
  in(at: number, owner: string, name: string): FieldDeclaration | null {
    const type = this.type(at, owner)
    const model = type?.fields.get(name)
    return type === null || model === undefined ? null : { at, type, model }
  }

  /** An object type or interface of one subgraph. */
  type(at: number, name: string): FieldsType | null {
    const type = this.#graph.subgraphs[at]?.types.get(name)
    return type?.kind === 'object' || type?.kind === 'interface' ? type : null
  }

  /** The type as a subgraph knows it, which may be through an interface object. */
  entityIn(at: number, name: string): FieldsType | null {
    return this.type(at, name) ?? this.#entities(name).find((one) => one.at === at)?.model ?? null
  }

  /** False for a field that the subgraph only names. In an extension the mark says nothing of keys. */
  isResolvedHere(one: FieldDeclaration): boolean {
    const all = this.of({ type: one.type.name, name: one.model.name })
    return !isExternal(one, all, this.#graph.facts)
  }

  /** Whether the subgraph marks a field of its own key with `@external`, and so cannot give its own key. */
  isExternalKey(one: FieldDeclaration): boolean {
    return isKeyField(one.type, one.model.name) && !this.isResolvedHere(one)
  }

  /** The type, and the interface objects of its interfaces. */
  #entities(name: string): readonly Declared<FieldsType>[] {
    let found = this.#types.get(name)
    if (found === undefined) {
      const own = (this.#graph.types.get(name) ?? []).filter(hasFields)
      const interfaces = new Set(own.flatMap(({ model }) => [...model.interfaces]))
      const standing = [...interfaces].flatMap((one) =>
        (this.#graph.types.get(one) ?? []).filter(hasFields).filter(({ model }) => model.isInterfaceObject),
      )
      found = [...own, ...standing].sort((a, b) => a.at - b.at)
      this.#types.set(name, found)
    }
    return found
  }
}

/** Returns the `@external` marks of a field, which are on the field or on its type. */
export function externalMarks({ model, type }: FieldDeclaration): readonly ConstDirectiveNode[] {
  return [...model.applied, ...type.applied]
    .filter(({ name, isComposed }) => name === 'external' && !isComposed)
    .map(({ node }) => node)
}
