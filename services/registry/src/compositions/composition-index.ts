/** One composition, prepared for everything that people look up in its schema. */
import {
  type CompositionSearch,
  type CompositionType,
  type CompositionTypes,
  TYPE_KINDS,
} from '@switchyard/contracts/studio'
import { buildApiSchema } from '@switchyard/engine'
import { nearestWord } from '@switchyard/contracts/nearest-word'
import {
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  printSchema,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'
import { isHidden } from './applied-directives.ts'
import { cutSupergraph, definitionIn, type SupergraphParts } from './cut-supergraph.ts'
import { definingGraphs, describeType, fieldsOf, kindOf, type PartsAsked } from './describe-type.ts'
import { NameSearch, type SearchEntry } from './search-names.ts'

/** The members of answers that do not depend on how the composition was asked for. */
type Types = Omit<CompositionTypes, 'namespace' | 'graph' | 'composition' | 'artifact'>
type Type = Omit<CompositionType, 'namespace' | 'graph' | 'composition' | 'artifact'>
type Search = Pick<CompositionSearch, 'matches' | 'more'>

/** The largest number of coordinates that are listed for a type. */
const MOST_USES = 200

type TypeRow = {
  readonly name: string
  readonly kind: number
  readonly size: number
  readonly graphs: readonly string[]
}

export class CompositionIndex {
  readonly types: Types
  /** The texts of its types are slices of it, so that keeping it takes no memory of its own. */
  readonly #supergraphSdl: string
  readonly #parts: SupergraphParts
  readonly #search: NameSearch
  /** Entries of the search that have a type by its name. */
  readonly #uses: ReadonlyMap<string, Uint32Array>
  readonly #implementations: ReadonlyMap<string, readonly string[]>
  /** The type that was asked for last: a large one is read page by page. */
  #last: TypeDefinitionNode | null = null

  constructor(supergraphSdl: string) {
    this.#supergraphSdl = supergraphSdl
    const rows: TypeRow[] = []
    const names = new NamesOfTypes()
    const implementations = new Map<string, string[]>()
    this.#parts = cutSupergraph(supergraphSdl, (type, { features }) => {
      const name = type.name.value
      for (const { name: of } of interfacesOf(type)) addTo(implementations, of.value, name)
      if (isHidden(type, features)) return
      const isSeen = (node: Parameters<typeof isHidden>[0]) => !isHidden(node, features)
      const size = names.add(type, isSeen)
      rows.push({ name, kind: TYPE_KINDS.indexOf(kindOf(type)), size, graphs: definingGraphs(type) })
    })
    this.#implementations = implementations
    this.types = columnsOf(rows, this.#parts)
    const { entries, uses } = names.sorted()
    this.#search = new NameSearch(entries)
    this.#uses = uses
  }

  /** Null if there is no such type. */
  type(name: string, asked: PartsAsked): Type | null {
    const definition = this.#definition(name)
    if (definition === null) return null
    const uses = this.#uses.get(name) ?? new Uint32Array()
    return {
      ...describeType(definition, this.#parts, asked),
      implementedBy: [...(this.#implementations.get(name) ?? [])].sort(),
      usedBy: [...uses.subarray(0, MOST_USES)].map((entry) => this.#search.coordinateOf(entry)),
      usedByCount: uses.length,
    }
  }

  /** The schema that clients see, as SDL. */
  clientSchema(): { readonly sdl: string } {
    return { sdl: printSchema(buildApiSchema(this.#supergraphSdl)) }
  }

  /** The type whose name is nearest to a misspelt one; null if none is near. */
  nearest(name: string): string | null {
    return nearestWord(name, this.#parts.types.keys())
  }

  search(text: string, limit: number): Search {
    const { matches, more } = this.#search.search(text, limit)
    return { matches: [...matches], more }
  }

  #definition(name: string): TypeDefinitionNode | null {
    if (this.#last?.name.value === name) return this.#last
    const piece = this.#parts.types.get(name)
    const definition = piece === undefined ? null : definitionIn(piece)
    if (definition === null || !isTypeDefinitionNode(definition)) return null
    this.#last = definition
    return definition
  }
}

function addTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

function interfacesOf(type: TypeDefinitionNode) {
  return type.kind === Kind.OBJECT_TYPE_DEFINITION || type.kind === Kind.INTERFACE_TYPE_DEFINITION
    ? (type.interfaces ?? [])
    : []
}

function columnsOf(unsorted: readonly TypeRow[], { subgraphs, roots }: SupergraphParts): Types {
  const rows = unsorted.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const places = new Map([...subgraphs.keys()].map((graph, place) => [graph, place]))
  const sets = new Map<string, number>()
  const definedBy = rows.map(({ graphs }) => {
    const key = JSON.stringify(graphs.flatMap((graph) => places.get(graph) ?? []))
    const known = sets.get(key) ?? sets.size
    sets.set(key, known)
    return known
  })
  return {
    subgraphs: [...subgraphs.values()],
    roots,
    names: rows.map(({ name }) => name),
    kinds: rows.map(({ kind }) => kind),
    sizes: rows.map(({ size }) => size),
    subgraphSets: [...sets.keys()].map((key): number[] => JSON.parse(key)),
    definedBy,
  }
}

type Named = {
  readonly name: string
  readonly kind: SearchEntry['kind']
  readonly description: string | null
  /** The place of its owner among the entries that were gathered before. */
  readonly owner: number | null
  readonly type: string | null
}
type IsSeen = (node: Parameters<typeof isHidden>[0]) => boolean

/** Gathers names type by type, and sorts them in the end: types, then their parts, then arguments. */
class NamesOfTypes {
  readonly #named: Named[] = []

  /** Returns how many parts of the type clients see. */
  add(type: TypeDefinitionNode, isSeen: IsSeen): number {
    const owner = this.#push(type, { kind: 'type', owner: null, type: null })
    if (type.kind === Kind.UNION_TYPE_DEFINITION) return (type.types ?? []).length
    const values = type.kind === Kind.ENUM_TYPE_DEFINITION ? (type.values ?? []).filter(isSeen) : []
    for (const value of values) this.#push(value, { kind: 'enum-value', owner, type: null })
    const fields = fieldsOf(type).filter(isSeen)
    for (const field of fields) this.#addField(field, owner, isSeen)
    return values.length + fields.length
  }

  sorted(): { readonly entries: readonly SearchEntry[]; readonly uses: ReadonlyMap<string, Uint32Array> } {
    const order = [...this.#named.keys()].sort((left, right) => this.#compare(left, right))
    const places = new Uint32Array(order.length)
    for (const [place, index] of order.entries()) places[index] = place
    const uses = new Map<string, number[]>()
    const entries = order.map((index, place): SearchEntry => {
      const { name = '', kind = 'type', description = null, owner = null, type } = this.#named[index] ?? {}
      if (type !== null && type !== undefined) addTo(uses, type, place)
      return { name, kind, description, owner: owner === null ? null : (places[owner] ?? null) }
    })
    return { entries, uses: new Map([...uses].map(([name, found]) => [name, Uint32Array.from(found)])) }
  }

  #addField(field: FieldDefinitionNode | InputValueDefinitionNode, owner: number, isSeen: IsSeen): void {
    const isInput = field.kind === Kind.INPUT_VALUE_DEFINITION
    const kind = isInput ? 'input-field' : 'field'
    const of = this.#push(field, { kind, owner, type: typeIn(field.type) })
    for (const argument of isInput ? [] : (field.arguments ?? []))
      if (isSeen(argument)) this.#push(argument, { kind: 'argument', owner: of, type: typeIn(argument.type) })
  }

  #push(
    node: {
      readonly name: { readonly value: string }
      readonly description?: { readonly value: string } | undefined
    },
    more: Pick<Named, 'kind' | 'owner' | 'type'>,
  ): number {
    const named = { name: node.name.value, description: node.description?.value ?? null, ...more }
    return this.#named.push(named) - 1
  }

  #compare(left: number, right: number): number {
    const one = this.#named[left]
    const other = this.#named[right]
    if (one === undefined || other === undefined) return 0
    const byRank = RANKS[one.kind] - RANKS[other.kind]
    if (byRank !== 0 || one.kind !== 'type') return byRank === 0 ? left - right : byRank
    return one.name < other.name ? -1 : 1
  }
}

const RANKS: { readonly [Kind in SearchEntry['kind']]: number } = {
  type: 0,
  field: 1,
  'input-field': 1,
  'enum-value': 1,
  argument: 2,
}

function typeIn(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : typeIn(type.type)
}
