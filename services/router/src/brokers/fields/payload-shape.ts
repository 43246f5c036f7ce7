/** Reads the shape that an answer must have from the selection of a fetch. */
import {
  type CompiledField,
  ExactNumber,
  fieldOf,
  type Graph,
  presenceOf,
  type SubgraphId,
  type TypeId,
  typeOf,
  type TypeRef,
} from '@switchyard/engine'
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql'

/** The shape of a value. */
export type Shape = { readonly coordinate: string; readonly isNonNull: boolean } & (
  | { readonly kind: 'leaf'; readonly expected: string; readonly isLeaf: (value: unknown) => boolean }
  | { readonly kind: 'list'; readonly item: Shape }
  | {
      readonly kind: 'object'
      /** The names of the types that the object may have. */
      readonly types: ReadonlySet<string>
      /** The type of objects that do not tell theirs; null if there are several. */
      readonly only: string | null
      /** Returns what is selected of a type. */
      readonly fieldsOf: (type: string) => readonly ShapeField[]
    }
)

/** A field of the answer. */
export type ShapeField = {
  readonly key: string
  readonly name: string
  /** Null for `__typename`. */
  readonly shape: Shape | null
}

/** Reads the shapes of one fetch. */
export class ShapeReader {
  readonly #graph: Graph
  readonly #sub: SubgraphId
  readonly #fragments: ReadonlyMap<string, SelectionSetNode>

  constructor(graph: Graph, sub: SubgraphId, { definitions }: DocumentNode) {
    this.#graph = graph
    this.#sub = sub
    this.#fragments = new Map(
      definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [],
      ),
    )
  }

  /** Reads the shape of a field's value. */
  read(field: CompiledField, { selectionSet }: FieldNode, coordinate: string): Shape {
    const own = field.edges.find(({ sub }) => sub === this.#sub)?.type
    return this.#shape(own ?? field.type, selectionSet, coordinate)
  }

  #shape(type: TypeRef, selected: SelectionSetNode | undefined, coordinate: string): Shape {
    const common = { coordinate, isNonNull: type.nonNull }
    if (type.kind === 'list')
      return { kind: 'list', ...common, item: this.#shape(type.item, selected, coordinate) }
    if (selected === undefined) return { kind: 'leaf', ...common, ...this.#leaf(type.type) }
    const { name } = typeOf(this.#graph, type.type)
    const runtime = presenceOf(this.#graph, type.type, this.#sub)?.runtime ?? []
    const types = new Set(runtime.map((id) => typeOf(this.#graph, id).name))
    if (types.size === 0) types.add(name)
    const [first = name] = types
    const known = new Map<string, readonly ShapeField[]>()
    const fieldsOf = (of: string): readonly ShapeField[] => {
      let fields = known.get(of)
      if (fields === undefined) known.set(of, (fields = this.#fields(of, selected)))
      return fields
    }
    return { kind: 'object', ...common, types, only: types.size === 1 ? first : null, fieldsOf }
  }

  #fields(type: string, { selections }: SelectionSetNode): readonly ShapeField[] {
    const id = this.#graph.typeByName.get(type)
    return selections.flatMap((node): readonly ShapeField[] => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const set = this.#fragments.get(node.name.value)
        return set === undefined ? [] : this.#fields(type, set)
      }
      if (node.kind === Kind.INLINE_FRAGMENT) {
        const condition = node.typeCondition?.name.value
        return condition === undefined || this.#isOf(id, condition)
          ? this.#fields(type, node.selectionSet)
          : []
      }
      const name = node.name.value
      const key = node.alias?.value ?? name
      if (name === '__typename') return [{ key, name, shape: null }]
      const field = id === undefined ? undefined : fieldOf(this.#graph, id, name)
      return field === undefined ? [] : [{ key, name, shape: this.read(field, node, `${type}.${name}`) }]
    })
  }

  #isOf(id: TypeId | undefined, condition: string): boolean {
    const wanted = this.#graph.typeByName.get(condition)
    if (id === undefined || wanted === undefined) return false
    return id === wanted || typeOf(this.#graph, wanted).possible.includes(id)
  }

  #leaf(id: TypeId): { readonly expected: string; readonly isLeaf: (value: unknown) => boolean } {
    const { name, kind, enumValues } = typeOf(this.#graph, id)
    if (kind === 'enum') {
      const values = new Set(enumValues.map((value) => value.name))
      return { expected: name, isLeaf: (value) => typeof value === 'string' && values.has(value) }
    }
    return { expected: name, isLeaf: LEAVES[name] ?? (() => true) }
  }
}

const MOST_INT = 2 ** 31

const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MOST_INT,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' || Number.isInteger(value) || value instanceof ExactNumber,
}
