/**
 * Tells what subgraphs can do with an object: under which type they know it, which fields they resolve, and
 * by which keys they find it.
 */
import {
  type CompiledEdge,
  fieldOf,
  type Graph,
  namedType,
  presenceOf,
  type FieldSet,
  type SubgraphId,
  type TypeId,
  typeOf,
} from '@switchyard/engine'

/**
 * An object as a subgraph gave it: the type it has there (the interface for an interface object) and what
 * `@provides` adds.
 */
export type Source = { readonly sub: SubgraphId; readonly type: TypeId; readonly view: FieldSet }

export type FaceEdge = { readonly target: Source; readonly requires: FieldSet | null }

export type Entry = { readonly source: Source; readonly key: FieldSet }

export class Faces {
  readonly #graph: Graph
  readonly #labels: ReadonlySet<string>

  constructor(graph: Graph, labels: ReadonlySet<string>) {
    this.#graph = graph
    this.#labels = labels
  }

  roots(type: TypeId): readonly Source[] {
    return typeOf(this.#graph, type).presence.map(({ sub }) => ({ sub, type, view: [] }))
  }

  isInterfaceObject({ type, sub }: Source): boolean {
    return presenceOf(this.#graph, type, sub)?.interfaceObject === true
  }

  /**
   * True if a failing field may take away objects whose type its subgraph does not know. A key field does not
   * count, since nothing can be fetched of an object without its keys.
   */
  takesObjectsAway({ type, sub }: Source, name: string): boolean {
    const keys = presenceOf(this.#graph, type, sub)?.keys ?? []
    if (keys.some(({ fieldSet }) => fieldSet.some((item) => item.kind === 'field' && item.name === name)))
      return false
    const edges = fieldOf(this.#graph, type, name)?.edges ?? []
    return edges.some(
      (edge) => edge.type.nonNull && this.isInterfaceObject({ type, sub: edge.sub, view: [] }),
    )
  }

  /** Object types a value of the source's type may have there. */
  objects(source: Source): readonly TypeId[] {
    const { type, sub } = source
    const objects = this.isInterfaceObject(source)
      ? typeOf(this.#graph, type).possible
      : (presenceOf(this.#graph, type, sub)?.runtime ?? [])
    return objects.filter((object) => !typeOf(this.#graph, object).inaccessible)
  }

  as(source: Source, object: TypeId): Source {
    if (this.isInterfaceObject(source)) return source
    return { sub: source.sub, type: object, view: this.#narrow(source.view, object) }
  }

  edge(source: Source, name: string): FaceEdge | null {
    const field = fieldOf(this.#graph, source.type, name)
    if (field === undefined) return null
    const stated = field.edges.find(({ sub }) => sub === source.sub)
    const provided = source.view.filter((item) => item.kind === 'field' && item.name === name)
    const isActive = stated === undefined || this.#isActive(stated)
    const own = stated !== undefined && !stated.external && isActive ? stated : null
    const isGiven = provided.length > 0 && isActive && field.overridden?.includes(source.sub) !== true
    if (own === null && !isGiven) return null
    const requires = own?.requires?.fieldSet ?? null
    const given = requires === null ? provided.flatMap(({ below }) => below ?? []) : []
    const view = [...(own?.provides ?? []), ...given]
    return {
      target: { sub: source.sub, type: namedType(stated?.type ?? field.type), view },
      requires,
    }
  }

  /**
   * Ways into subgraphs by a key. While nobody has told the object's type, only keys of its interfaces lead
   * anywhere.
   */
  entries(object: TypeId, typeKnown: boolean): readonly Entry[] {
    const { kind, presence, interfaces } = typeOf(this.#graph, object)
    // An interface without implementations is found where it is an object, and has no type that could be
    // told.
    const own = presence
      .filter(({ interfaceObject }) => interfaceObject || (typeKnown && kind === 'object'))
      .flatMap(({ sub, keys }) => this.#entriesOf(sub, object, keys))
    const byInterface = interfaces.flatMap((type) =>
      typeOf(this.#graph, type).presence.flatMap(({ sub, keys, interfaceObject, runtime }) => {
        if (interfaceObject) return this.#entriesOf(sub, type, keys)
        return runtime.includes(object) ? this.#entriesOf(sub, object, keys) : []
      }),
    )
    return [...own, ...byInterface]
  }

  /** Entries of subgraphs that compute the field from inputs. */
  computing(object: TypeId, name: string): readonly (Entry & { readonly requires: FieldSet })[] {
    return this.entries(object, true).flatMap((entry) => {
      const requires = this.edge(entry.source, name)?.requires ?? null
      return requires === null ? [] : [{ ...entry, requires }]
    })
  }

  #entriesOf(
    sub: SubgraphId,
    type: TypeId,
    keys: readonly { readonly fieldSet: FieldSet; readonly resolvable: boolean }[],
  ): readonly Entry[] {
    return keys
      .filter(({ resolvable }) => resolvable)
      .map(({ fieldSet }) => ({ source: { sub, type, view: [] }, key: fieldSet }))
  }

  #narrow(view: FieldSet, object: TypeId): FieldSet {
    return view.flatMap((item): FieldSet => {
      if (item.kind === 'field') return [item]
      return typeOf(this.#graph, item.type).possible.includes(object) ? this.#narrow(item.below, object) : []
    })
  }

  #isActive({ label, wantLabel }: CompiledEdge): boolean {
    const name = this.#graph.compiled.labels[label]
    return name === undefined || this.#labels.has(name) === wantLabel
  }
}
