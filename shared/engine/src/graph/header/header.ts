/**
 * Reads the parts of a supergraph that describe it as a whole, before any of its types is looked at:
 * features, subgraphs, definitions.
 */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  GraphQLError,
  isTypeDefinitionNode,
  Kind,
  parse,
  type TypeDefinitionNode,
} from 'graphql'
import type { CompiledSubgraph } from '../compiled/compiled-graph.ts'
import { argumentOf, directivesOf, textArgument } from './directives.ts'
import { readEventSources } from './event-sources.ts'
import { type FeatureNames, readFeatureNames, specificationOf } from './features.ts'
import { SupergraphError } from './supergraph-error.ts'

/** A parsed supergraph with its subgraphs and the names of its directives. */
export type SupergraphHeader = {
  readonly document: DocumentNode
  readonly names: FeatureNames
  readonly definitions: ReadonlyMap<string, TypeDefinitionNode>
  /** In the order of their enum values. */
  readonly subgraphs: readonly CompiledSubgraph[]
}

/** The description of a supergraph that `describeSupergraph` returns. */
export type SupergraphDescription = {
  /** `0.3` */
  readonly joinVersion: string
  readonly subgraphs: readonly CompiledSubgraph[]
  /** Directives that say who may see a field (`authenticated`), as far as they are applied. */
  readonly accessRules: readonly string[]
}

/**
 * The join version, the subgraphs and the access rules of a supergraph. Throws SupergraphError; does not look
 * at the types.
 */
export function describeSupergraph(supergraphSdl: string): SupergraphDescription {
  const { names, subgraphs } = readHeader(parseSupergraph(supergraphSdl))
  return { joinVersion: names.joinVersion, subgraphs, accessRules: names.accessRules }
}

/** Reads a parsed supergraph. Throws a SupergraphError if it is none, or needs what this engine lacks. */
export function readHeader(document: DocumentNode): SupergraphHeader {
  const names = readFeatureNames(document)
  refuseConnectors(document, names)
  const definitions = new Map<string, TypeDefinitionNode>()
  for (const definition of document.definitions)
    if (isTypeDefinitionNode(definition)) definitions.set(definition.name.value, definition)
  return { document, names, definitions, subgraphs: readSubgraphs(definitions, names) }
}

/** Parses supergraph SDL. Throws a SupergraphError. */
export function parseSupergraph(supergraphSdl: string): DocumentNode {
  try {
    return parse(supergraphSdl, { noLocation: true })
  } catch (cause) {
    const [at] = cause instanceof GraphQLError ? (cause.locations ?? []) : []
    const place = at === undefined ? '' : ` at line ${at.line}, column ${at.column}`
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SupergraphError('SUPERGRAPH_SYNTAX', `The supergraph SDL cannot be parsed${place}: ${reason}`, {
      cause,
    })
  }
}

/**
 * Throws a SupergraphError if a subgraph is made of connectors. Links of subgraphs are repeated in
 * `@join__directive`; without the connectors nobody could be asked for the fields of such a subgraph.
 */
function refuseConnectors(document: DocumentNode, names: FeatureNames): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue
    for (const applied of directivesOf(definition, names.join.directive)) {
      const url = linkedBy(applied)
      if (url === null || specificationOf(url).name !== 'connect') continue
      throw new SupergraphError(
        'SUPERGRAPH_UNSUPPORTED_FEATURE',
        `A subgraph is made of connectors (${url}) instead of a GraphQL server, which this router cannot ask. Nothing was loaded.`,
      )
    }
  }
}

function linkedBy(applied: ConstDirectiveNode): string | null {
  if (textArgument(applied, 'name') !== 'link') return null
  const args = argumentOf(applied, 'args')
  if (args?.kind !== Kind.OBJECT) return null
  const url = args.fields.find(({ name }) => name.value === 'url')?.value
  return url?.kind === Kind.STRING ? url.value : null
}

function eventsOf(value: EnumValueDefinitionNode, directive: string): Pick<CompiledSubgraph, 'events'> {
  const events = readEventSources(value, directive)
  return events.length === 0 ? {} : { events }
}

/** The subgraphs in the order of their enum values. Throws a SupergraphError. */
export function readSubgraphs(
  definitions: { get(name: string): TypeDefinitionNode | undefined },
  { join, eventSources }: Pick<FeatureNames, 'join' | 'eventSources'>,
): readonly CompiledSubgraph[] {
  const definition = definitions.get(join.graphEnum)
  if (definition?.kind !== Kind.ENUM_TYPE_DEFINITION)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `The supergraph has no enum ${join.graphEnum}, so it names no subgraph to ask.`,
    )
  const subgraphs = (definition.values ?? []).map((value) => {
    const [graph] = directivesOf(value, join.graph)
    const enumValue = value.name.value
    return {
      name: (graph && textArgument(graph, 'name')) ?? enumValue,
      url: (graph && textArgument(graph, 'url')) ?? '',
      enumValue,
      ...(eventSources === null ? {} : eventsOf(value, eventSources)),
    }
  })
  const twice = subgraphs.find(
    ({ name }, index) => subgraphs.findIndex((other) => other.name === name) < index,
  )
  if (twice !== undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `Two values of the enum ${join.graphEnum} name the same subgraph "${twice.name}"; expected a name for each.`,
    )
  return subgraphs.sort((a, b) => (a.enumValue < b.enumValue ? -1 : 1))
}
