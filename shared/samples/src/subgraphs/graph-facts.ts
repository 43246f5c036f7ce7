/** Look-ups on a compiled graph that everything about samples needs. */
import type {
  CompiledEdge,
  CompiledField,
  CompiledGraph,
  CompiledType,
  FieldSet,
  TypeRef,
} from '@switchyard/engine'

export class GraphFacts {
  readonly graph: CompiledGraph
  readonly #types: ReadonlyMap<string, CompiledType>
  readonly #fields = new Map<CompiledType, ReadonlyMap<string, CompiledField>>()

  #provided: ReadonlySet<string> | undefined

  constructor(graph: CompiledGraph) {
    this.graph = graph
    this.#types = new Map(graph.types.map((type) => [type.name, type]))
  }

  type(id: number): CompiledType {
    const type = this.graph.types[id]
    if (type === undefined) throw new RangeError(`Type ${id} is not part of this graph.`)
    return type
  }

  typeNamed(name: string): CompiledType {
    const type = this.#types.get(name)
    if (type === undefined) throw new RangeError(`"${name}" is no type of this graph.`)
    return type
  }

  field(type: CompiledType, name: string): CompiledField | undefined {
    let fields = this.#fields.get(type)
    if (fields === undefined) {
      fields = new Map(type.fields.map((field) => [field.name, field]))
      this.#fields.set(type, fields)
    }
    return fields.get(name)
  }

  /** A field that an interface object adds may be written on the interface alone. */
  declaredField(type: CompiledType, name: string): CompiledField {
    for (const owner of [type, ...type.interfaces.map((id) => this.type(id))]) {
      const field = this.field(owner, name)
      if (field !== undefined) return field
    }
    throw new RangeError(`${type.name} has no field ${name}.`)
  }

  /**
   * Every subgraph that answers a field of an object: by the type itself, or as an object for one of its
   * interfaces.
   */
  sources(type: CompiledType, name: string): readonly CompiledEdge[] {
    const own = this.field(type, name)?.edges ?? []
    const added = type.interfaces.flatMap((id) => {
      const parent = this.type(id)
      const edges = this.field(parent, name)?.edges ?? []
      return edges.filter(({ sub }) => this.isInterfaceObject(parent, sub))
    })
    return [...own, ...added]
  }

  isInterfaceObject(type: CompiledType, sub: number): boolean {
    return type.presence.some((presence) => presence.sub === sub && presence.interfaceObject)
  }

  /** A subgraph may provide a field that composers leave out of what the supergraph says it declares. */
  isProvidedSomewhere(type: CompiledType, field: string, sub: number): boolean {
    this.#provided ??= this.#readProvided()
    return this.#provided.has(`${sub}/${type.name}.${field}`)
  }

  #readProvided(): ReadonlySet<string> {
    const found = new Set<string>()
    const add = (type: CompiledType, sel: FieldSet, sub: number): void => {
      for (const item of sel) {
        if (item.kind === 'on') {
          add(this.type(item.type), item.below, sub)
          continue
        }
        found.add(`${sub}/${type.name}.${item.name}`)
        if (item.below !== null) add(this.named(this.declaredField(type, item.name).type), item.below, sub)
      }
    }
    for (const type of this.graph.types)
      for (const { edges } of type.fields)
        for (const edge of edges)
          if (edge.provides !== null) add(this.named(edge.type), edge.provides, edge.sub)
    return found
  }

  /** Returns the object types that a type may have in one subgraph. Null if that subgraph cannot tell. */
  runtime(type: CompiledType, sub: number): readonly number[] | null {
    if (type.kind === 'object') return [type.id]
    const presence = type.presence.find((candidate) => candidate.sub === sub)
    return presence === undefined || presence.interfaceObject ? null : presence.runtime
  }

  printed(ref: TypeRef): string {
    const inner = ref.kind === 'named' ? this.type(ref.type).name : `[${this.printed(ref.item)}]`
    return ref.nonNull ? `${inner}!` : inner
  }

  named(ref: TypeRef): CompiledType {
    return ref.kind === 'named' ? this.type(ref.type) : this.named(ref.item)
  }

  /** Returns a selection's fields for an object of a type, without fragments for other types. */
  applying(sel: FieldSet, type: CompiledType): readonly Extract<FieldSet[number], { kind: 'field' }>[] {
    return sel.flatMap((item) => {
      if (item.kind === 'field') return [item]
      const applies = item.type === type.id || this.type(item.type).possible.includes(type.id)
      return applies ? this.applying(item.below, type) : []
    })
  }
}
