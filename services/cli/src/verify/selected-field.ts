/** Describes a field that an operation selects, by the supergraph, as far as limits of stitching need it. */
import type { CompiledEdge, CompiledType, Graph, FieldSet } from '@switchyard/engine'
import type { ResponseField } from './response-fields.ts'

/** A field of the supergraph, with answers to questions that limits ask. */
export class SelectedField {
  readonly #graph: Graph
  readonly #name: string
  readonly #parent: number

  constructor(graph: Graph, { parent, name }: ResponseField) {
    this.#graph = graph
    this.#name = name
    this.#parent = parent
  }

  /** True if the type of the field, or of its parent, is abstract. */
  get meetsAbstractType(): boolean {
    return isAbstract(this.#named(this.#type, this.#name)) || isAbstract(this.#type)
  }

  get isRequiring(): boolean {
    return this.#requires.length > 0
  }

  get requiresAbstract(): boolean {
    return this.#requires.some(
      (fieldSet) => hasFragments(fieldSet) || this.#crossesAbstract(this.#type, fieldSet),
    )
  }

  /** True if a subgraph resolves the field on some paths only, or provides fields below it. */
  get isProvided(): boolean {
    return this.#edges.some((edge) => edge.provides !== null || edge.external)
  }

  /** True if the field's object has parts in several subgraphs, and no key in one of them. */
  get isOfSplitValue(): boolean {
    const { query, mutation } = this.#graph.compiled.roots
    const type = this.#type
    return (
      type?.kind === 'object' &&
      this.#parent !== query &&
      this.#parent !== mutation &&
      type.presence.length > 1 &&
      type.presence.some(({ keys }) => keys.length === 0)
    )
  }

  get isBehindInterfaceObject(): boolean {
    return this.#owners.some((owner) => owner.presence.some(({ interfaceObject }) => interfaceObject))
  }

  get isSharedMutation(): boolean {
    return this.#parent === this.#graph.compiled.roots.mutation && this.#edges.length > 1
  }

  get isKeyedByLists(): boolean {
    const type = this.#type
    return (
      type?.presence.some(({ keys }) => keys.some(({ fieldSet }) => this.#holdsList(type, fieldSet))) === true
    )
  }

  get #type(): CompiledType | undefined {
    return this.#typeOf(this.#parent)
  }

  /** The type it is a field of, and the interfaces of that. */
  get #owners(): readonly CompiledType[] {
    const type = this.#type
    return [type, ...(type?.interfaces ?? []).map((id) => this.#typeOf(id))].filter(
      (owner) => owner !== undefined,
    )
  }

  get #edges(): readonly CompiledEdge[] {
    return this.#owners.flatMap(
      (owner) => owner.fields.find((field) => field.name === this.#name)?.edges ?? [],
    )
  }

  get #requires(): readonly FieldSet[] {
    return this.#edges.flatMap((edge) => edge.requires ?? []).map(({ fieldSet }) => fieldSet)
  }

  #typeOf(id: number): CompiledType | undefined {
    return this.#graph.compiled.types[id]
  }

  #named(type: CompiledType | undefined, name: string): CompiledType | undefined {
    let ref = type?.fields.find((field) => field.name === name)?.type
    while (ref?.kind === 'list') ref = ref.item
    return ref?.kind === 'named' ? this.#typeOf(ref.type) : undefined
  }

  #crossesAbstract(type: CompiledType | undefined, fieldSet: FieldSet): boolean {
    if (type === undefined) return false
    return fieldSet.some((item) => {
      if (item.kind === 'on') return true
      if (item.below === null) return false
      const target = this.#named(type, item.name)
      return isAbstract(target) || this.#crossesAbstract(target, item.below)
    })
  }

  #holdsList(type: CompiledType | undefined, fieldSet: FieldSet): boolean {
    if (type === undefined) return false
    return fieldSet.some((item) => {
      if (item.kind === 'on') return this.#holdsList(this.#typeOf(item.type), item.below)
      if (item.below === null) return false
      const ref = type.fields.find((field) => field.name === item.name)?.type
      return ref?.kind === 'list' || this.#holdsList(this.#named(type, item.name), item.below)
    })
  }
}

function isAbstract(type: CompiledType | undefined): boolean {
  return type?.kind === 'interface' || type?.kind === 'union'
}

function hasFragments(fieldSet: FieldSet): boolean {
  return fieldSet.some((item) => item.kind === 'on' || (item.below !== null && hasFragments(item.below)))
}
