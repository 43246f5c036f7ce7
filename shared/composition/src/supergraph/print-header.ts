/** Writes what every supergraph begins with: links, root types, the join and link specifications. */
import type { SubgraphModel } from '../model/model.ts'
import { EVENT_SOURCES, printEventField } from './event-sources.ts'
import type { Feature } from '../merge/features.ts'
import type { MergedGraph, MergedLink } from '../merge/merged.ts'

/** A subgraph as the supergraph names it. */
export type SupergraphSubgraph = {
  readonly name: string
  readonly routingUrl: string
  /** The name of which its value of `join__Graph` is made: that of the subgraph which it replaces, if any. */
  readonly valueName: string
  readonly model: Pick<SubgraphModel, 'events'>
}

/** Writes the header; `values` are those of `join__Graph`, and `used` are the features of all types. */
export function printHeader(
  graph: MergedGraph,
  subgraphs: readonly SupergraphSubgraph[],
  values: readonly string[],
  used: ReadonlySet<Feature>,
): string {
  const features = FEATURES.filter(({ name }) => used.has(name))
  const hasEvents = subgraphs.some(({ model }) => model.events.length > 0)
  const links = [
    '@link(url: "https://specs.apollo.dev/link/v1.0")',
    '@link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)',
    ...features.flatMap(({ link }) => (link === null ? [] : [`@link(${link})`])),
    ...(hasEvents ? [`@link(${EVENT_SOURCES.link})`] : []),
    ...graph.links.map(printLink),
  ]
  const roots = ['query', 'mutation', 'subscription'].filter((one) => graph.types.has(rootName(one)))
  const schema = `schema\n${links.map((link) => `  ${link}`).join('\n')}\n{\n${roots.map((one) => `  ${one}: ${rootName(one)}`).join('\n')}\n}`
  return [
    schema,
    JOIN,
    ...features.map(({ definitions }) => definitions),
    ...(hasEvents ? [EVENT_SOURCES.definitions] : []),
    printGraphs(subgraphs, values),
  ].join('\n\n')
}

function rootName(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1)
}

function printGraphs(subgraphs: readonly SupergraphSubgraph[], values: readonly string[]): string {
  const lines = subgraphs.map(
    ({ name, routingUrl, model }, at) =>
      `  ${values[at] ?? ''} @join__graph(name: ${JSON.stringify(name)}, url: ${JSON.stringify(routingUrl)})${model.events.map(printEventField).join('')}`,
  )
  return `enum join__Graph {\n${lines.join('\n')}\n}`
}

function printLink({ identity, version, imports }: MergedLink): string {
  const names = imports.map(({ name, as }) =>
    name === as ? `"@${name}"` : `{name: "@${name}", as: "@${as}"}`,
  )
  const url = version === '' ? identity : `${identity}/${version}`
  return `@link(url: ${JSON.stringify(url)}, import: [${names.join(', ')}])`
}

type Definitions = {
  readonly name: Feature
  /** Null for a directive of GraphQL itself. */
  readonly link: string | null
  readonly definitions: string
}

const LOCATIONS =
  'FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION'
const ACCESS_LOCATIONS = 'FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM'

/** Specifications besides join, each linked where a definition of the graph uses it. */
const FEATURES: readonly Definitions[] = [
  {
    name: 'tag',
    link: 'url: "https://specs.apollo.dev/tag/v0.3"',
    definitions: `directive @tag(name: String!) repeatable on ${LOCATIONS} | SCHEMA`,
  },
  {
    name: 'cost',
    link: 'url: "https://specs.apollo.dev/cost/v0.1", import: ["@listSize"]',
    definitions: `directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION`,
  },
  {
    name: 'inaccessible',
    link: 'url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY',
    definitions: `directive @inaccessible on ${LOCATIONS}`,
  },
  {
    name: 'policy',
    link: 'url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY',
    definitions: `directive @policy(policies: [[policy__Policy!]!]!) on ${ACCESS_LOCATIONS}\n\nscalar policy__Policy`,
  },
  {
    name: 'requiresScopes',
    link: 'url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY',
    definitions: `directive @requiresScopes(scopes: [[requiresScopes__Scope!]!]!) on ${ACCESS_LOCATIONS}\n\nscalar requiresScopes__Scope`,
  },
  {
    name: 'authenticated',
    link: 'url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY',
    definitions: `directive @authenticated on ${ACCESS_LOCATIONS}`,
  },
  // Routers that were built before the specification had it read its definition.
  { name: 'oneOf', link: null, definitions: 'directive @oneOf on INPUT_OBJECT' },
]

const JOIN = `directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA

directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE

directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean, overrideLabel: String, contextArguments: [join__ContextArgument!]) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION

directive @join__graph(name: String!, url: String!) on ENUM_VALUE

directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE

directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR

directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION

input join__ContextArgument {
  name: String!
  type: String!
  context: String!
  selection: join__FieldValue!
}

scalar join__FieldSet

scalar join__FieldValue

scalar link__Import

enum link__Purpose {
  SECURITY
  EXECUTION
}`
