/**
 * A compiled graph as the main thread uses it: the data plus the look-ups that cannot be transferred between
 * threads.
 */
import type { GraphQLSchema } from 'graphql'
import type { SubgraphId, TypeId } from '../ids/ids.ts'
import { AccessTable } from './access/access-table.ts'
import { type ApiSchemas, buildSchemas } from './api-schema.ts'
import type {
  CompiledField,
  CompiledGraph,
  CompiledPresence,
  CompiledType,
  TypeRef,
} from './compiled/compiled-graph.ts'
import { SharedIndex } from './shared-index.ts'
import { SPECIFIED_SCALARS } from './specified-scalars.ts'

/** Types and subgraphs, and nothing that is made for clients: what moves between subgraphs need. */
export type TypeGraph = {
  readonly compiled: Pick<CompiledGraph, 'types' | 'subgraphs' | 'roots' | 'labels'>
}

/** The ids of types by their names. */
export type TypeIds = { get(name: string): TypeId | undefined }

/** A compiled graph with its look-ups and its client schemas. */
export type Graph = TypeGraph & {
  readonly compiled: CompiledGraph
  /** Names come from outside (responses, documents), hence no object. */
  readonly typeByName: TypeIds
  /** Labels of progressive overrides, ascending. Which of them are active is decided per request. */
  readonly labels: readonly string[]
  /** Who may see what; null if nothing is protected. */
  readonly access: AccessTable | null
  /**
   * The schema that clients see. It is built on first use: a router that serves known operations from a warm
   * cache may never need it.
   */
  readonly apiSchema: GraphQLSchema
  /**
   * The schema that operations are checked against: the same with `@defer`, which documents may always use.
   * Clients see `@defer` where incremental delivery is on.
   */
  readonly validationSchema: GraphQLSchema
}

/** Opens a compiled graph. Its client schema is made when it is first asked for, and its types one by one. */
export function openGraph(compiled: CompiledGraph): Graph {
  let built: ApiSchemas | undefined
  const schemas = (): ApiSchemas => (built ??= buildSchemas(compiled.api))
  return {
    get apiSchema() {
      return schemas().announced
    },
    get validationSchema() {
      return schemas().accepted
    },
    compiled,
    typeByName: typesByName(compiled),
    labels: [...compiled.labels].sort(),
    access: compiled.access === null ? null : new AccessTable(compiled.access, compiled.types),
  }
}

/** The ids of types by their names, those of types that are gone as well. */
export const TYPE_IDS = new SharedIndex<CompiledType, TypeId>(
  (types) => new Map(types.map(({ name, id }) => [name, id])),
)

/** The ids of the types that the graph has. */
export function typesByName({ types, removed }: CompiledGraph): TypeIds {
  const ids = TYPE_IDS.of(types)
  if (removed.length === 0) return ids
  const gone = new Set(removed)
  return {
    get: (name) => {
      const id = ids.get(name)
      return id === undefined || gone.has(id) ? undefined : id
    },
  }
}

/** The type with an id. Throws a RangeError for an id of another graph. */
export function typeOf(graph: TypeGraph, id: TypeId): CompiledType {
  const type = graph.compiled.types[id]
  if (type === undefined) throw new RangeError(`Type ${id} is not part of this graph.`)
  return type
}

/** Whether values of the type have fields: objects, interfaces and unions. */
export function isComposite(graph: TypeGraph, id: TypeId): boolean {
  const { kind } = typeOf(graph, id)
  return kind === 'object' || kind === 'interface' || kind === 'union'
}

/** Whether the type is a scalar that the GraphQL specification does not define. */
export function isCustomScalar(graph: TypeGraph, id: TypeId): boolean {
  const { kind, name } = typeOf(graph, id)
  return kind === 'scalar' && !SPECIFIED_SCALARS.has(name)
}

/** A field of an object or interface by its name; undefined if the type does not have it. */
export function fieldOf(graph: TypeGraph, type: TypeId, name: string): CompiledField | undefined {
  return fieldIndex(typeOf(graph, type)).get(name)
}

const fieldIndexes = new WeakMap<CompiledType, ReadonlyMap<string, CompiledField>>()

/** The fields of a type by name: root types of large supergraphs have thousands. */
function fieldIndex(type: CompiledType): ReadonlyMap<string, CompiledField> {
  let index = fieldIndexes.get(type)
  if (index === undefined) {
    index = new Map(type.fields.map((field) => [field.name, field]))
    fieldIndexes.set(type, index)
  }
  return index
}

/** How a subgraph sees a type; undefined where it does not have the type. */
export function presenceOf(graph: TypeGraph, type: TypeId, sub: SubgraphId): CompiledPresence | undefined {
  return typeOf(graph, type).presence.find((presence) => presence.sub === sub)
}

/** A type as SDL writes it: `[Product!]!`. */
export function printTypeRef(graph: TypeGraph, ref: TypeRef): string {
  const inner = ref.kind === 'named' ? typeOf(graph, ref.type).name : `[${printTypeRef(graph, ref.item)}]`
  return ref.nonNull ? `${inner}!` : inner
}
