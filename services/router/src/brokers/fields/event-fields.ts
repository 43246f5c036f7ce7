/**
 * The root fields that a fetch asks a subgraph of events for: where their events are, their arguments, and
 * the shape of the answer. The planner knows nothing of events; all of it is read from the document of the
 * fetch.
 */
import { type EventSource, type Fetch, fieldOf, type Graph, type TypeId } from '@switchyard/engine'
import { type FieldNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { readArguments } from './arguments.ts'
import { ShapeReader, type Shape } from './payload-shape.ts'

/** A root field of a fetch. */
export type EventField = {
  /** The key of the field in the answer. */
  readonly key: string
  readonly source: EventSource
  readonly argumentsFor: (variables: ReadonlyMap<string, unknown>) => Readonly<Record<string, unknown>>
  readonly shape: Shape
}

type Known = { readonly graph: Graph; readonly fields: readonly EventField[] }

/** Plans live longer than a graph that is compiled anew from a similar one. */
const known = new WeakMap<Fetch, Known>()

/** Whether any subgraph of the graph is one of events. */
export function hasEvents(graph: Graph): boolean {
  let has = graphs.get(graph)
  if (has === undefined) {
    has = graph.compiled.subgraphs.some(({ events }) => events !== undefined)
    graphs.set(graph, has)
  }
  return has
}

/** Looked up for each request, and graphs may have hundreds of subgraphs. */
const graphs = new WeakMap<Graph, boolean>()

/** Whether the fetch asks a subgraph of events. */
export function isOfEvents({ compiled }: Graph, { subgraph }: Fetch): boolean {
  return compiled.subgraphs[subgraph]?.events !== undefined
}

/** The root fields of a fetch from a subgraph of events. Throws a RangeError if it has others. */
export function eventFieldsOf(graph: Graph, fetch: Fetch): readonly EventField[] {
  const before = known.get(fetch)
  if (before?.graph === graph) return before.fields
  const fields = readFields(graph, fetch)
  known.set(fetch, { graph, fields })
  return fields
}

const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

function readFields(graph: Graph, { document, operation, subgraph: sub }: Fetch): readonly EventField[] {
  const subgraph = graph.compiled.subgraphs[sub]
  const parsed = parse(document, { noLocation: true })
  const [definition] = parsed.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (definition === undefined) throw new RangeError('A fetch has no operation.')
  const root: TypeId = graph.compiled.roots[operation]
  const shapes = new ShapeReader(graph, sub, parsed)
  return rootFields(definition).map((node): EventField => {
    const name = node.name.value
    const coordinate = `${ROOTS[operation]}.${name}`
    const source = subgraph?.events?.find(({ field }) => field === coordinate)
    const field = fieldOf(graph, root, name)
    if (source === undefined || field === undefined)
      throw new RangeError(`"${coordinate}" has no source of events.`)
    return {
      key: node.alias?.value ?? name,
      source,
      argumentsFor: readArguments(graph, operation, node),
      shape: shapes.read(field, node, coordinate),
    }
  })
}

function rootFields({ selectionSet }: OperationDefinitionNode): readonly FieldNode[] {
  return selectionSet.selections.filter(
    (node): node is FieldNode => node.kind === Kind.FIELD && node.name.value !== '__typename',
  )
}
