/** Reads which root fields of a subgraph are connected to events. */
import { type ConstDirectiveNode, Kind, valueFromASTUntyped } from 'graphql'
import type { EventSource } from '../compiled/compiled-graph.ts'
import { argumentOf, directivesOf, type NodeWithDirectives, textArgument } from './directives.ts'
import { SupergraphError } from './supergraph-error.ts'

/** The fields, in their order. Throws a SupergraphError for an operation that the router does not know. */
export function readEventSources(value: NodeWithDirectives, directive: string): readonly EventSource[] {
  return directivesOf(value, directive).map(readSource)
}

function readSource(applied: ConstDirectiveNode): EventSource {
  const field = textArgument(applied, 'field') ?? ''
  const operation = textArgument(applied, 'operation')
  if (operation !== 'subscribe' && operation !== 'publish' && operation !== 'request')
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `The supergraph says that ${field} is connected to events by "${operation ?? ''}"; expected subscribe, publish or request.`,
    )
  const subjects = argumentOf(applied, 'subjects')
  const filter = argumentOf(applied, 'filter')
  return {
    field,
    system: textArgument(applied, 'system') ?? '',
    operation,
    provider: textArgument(applied, 'provider') ?? 'default',
    subjects:
      subjects?.kind === Kind.LIST
        ? subjects.values.flatMap((one) => (one.kind === Kind.STRING ? [one.value] : []))
        : [],
    stream: readStream(applied),
    filter: filter === undefined ? null : valueFromASTUntyped(filter),
  }
}

function readStream(applied: ConstDirectiveNode): EventSource['stream'] {
  const stream = argumentOf(applied, 'stream')
  if (stream?.kind !== Kind.OBJECT) return null
  const terms = new Map(stream.fields.map(({ name, value }) => [name.value, value]))
  const textOf = (name: string): string => {
    const value = terms.get(name)
    return value?.kind === Kind.STRING ? value.value : ''
  }
  const threshold = terms.get('inactiveThreshold')
  return {
    name: textOf('name'),
    consumer: textOf('consumer'),
    inactiveThreshold: threshold?.kind === Kind.INT ? Number(threshold.value) : 30,
  }
}
