/**
 * The graph that is hunted in: two subgraphs that share entities, and whatever makes work of different kinds
 * possible, such as very many types of one interface, unions, lists in lists, inputs that hold themselves,
 * and custom scalars.
 */
import { buildSchema, type GraphQLSchema } from 'graphql'

export type HuntedGraph = {
  readonly supergraph: string
  /** The schema of both subgraphs together, which can answer every request to either of them. */
  readonly subgraphSchema: GraphQLSchema
  /** The words of the supergraph: names of types, fields, arguments, values and directives. */
  readonly names: readonly string[]
}

/** The number of object types that are entities of both subgraphs. */
const ENTITIES = 20
const KINDS = 10

const HEAD = `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query mutation: Mutation }
  directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
  directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, external: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
  directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
  directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
  scalar join__FieldSet
  enum link__Purpose { EXECUTION }`

/**
 * Makes the graph. `types` is the number of object types behind the interface `Node`, at least 20. With
 * `hasEvents` the subgraph "b" has a subscription.
 */
export function huntedGraph(
  urls: { readonly a: string; readonly b: string },
  types: number,
  hasEvents = false,
): HuntedGraph {
  const numbers = Array.from({ length: types }, (_, index) => index)
  const join = (text: string, of: 'supergraph' | 'subgraph') =>
    of === 'supergraph' ? text : text.replaceAll(/ @join__\w+(?:\([^)]*\))?/g, '')
  const body = `
  interface Node @join__type(graph: A) { id: ID! }
  ${Array.from({ length: KINDS }, (_, kind) => `interface Kind${kind} @join__type(graph: A) { id: ID! name(prefix: String): String peers(first: Int = 2): [Kind${kind}!]! }`).join('\n')}
  union Any @join__type(graph: A)${numbers.map((n) => ` @join__unionMember(graph: A, member: "T${n}")`).join('')} = ${numbers.map((n) => `T${n}`).join(' | ')}
  enum Colour @join__type(graph: A) { ${['RED', 'GREEN', 'BLUE'].map((value) => `${value} @join__enumValue(graph: A)`).join(' ')} }
  scalar JSON @join__type(graph: A)
  input Range @join__type(graph: A) { min: Int! max: Int = 5 }
  input Filter @join__type(graph: A) { name: String first: Int = 10 and: [Filter!] not: Filter tags: [String!] matrix: [[Int]] colour: Colour ids: [ID!] json: JSON range: Range price: Float on: Boolean }
  type Query @join__type(graph: A) @join__type(graph: B) {
    me: T0 @join__field(graph: A)
    self: Query @join__field(graph: A)
    node(id: ID!): Node @join__field(graph: A)
    nodes(ids: [ID!] = ["1", "2"]): [Node!]! @join__field(graph: A)
    search(filter: Filter, ids: [ID], json: JSON, colours: [Colour!]): [Any!]! @join__field(graph: A)
    kind(of: Filter): Kind0 @join__field(graph: A)
    cube: [[[T1]]] @join__field(graph: A)
    count(filter: Filter, filters: [Filter!], ids: [ID!], json: JSON, text: String, on: Boolean): Int @join__field(graph: A)
    stocked: [T2!]! @join__field(graph: B)
  }
  ${hasEvents ? 'type Subscription @join__type(graph: B) { changed: T2 @join__field(graph: B) }' : ''}
  type Mutation @join__type(graph: A) { change(filter: Filter, json: JSON): T0 @join__field(graph: A) }
  ${numbers.map((n) => typeOf(n, types)).join('\n')}`
  const head = hasEvents
    ? HEAD.replace('mutation: Mutation', 'mutation: Mutation subscription: Subscription')
    : HEAD
  const supergraph = `${head}
  enum join__Graph { A @join__graph(name: "a", url: "${urls.a}") B @join__graph(name: "b", url: "${urls.b}") }
  ${body}`
  const subgraph = `${join(body, 'subgraph')}
  scalar _Any
  union _Entity = ${numbers
    .slice(0, ENTITIES)
    .map((n) => `T${n}`)
    .join(' | ')}
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`
  return {
    supergraph,
    subgraphSchema: buildSchema(subgraph),
    names: [...new Set(supergraph.match(/\b[A-Za-z]\w*\b/g) ?? [])].filter(
      (name) => !name.startsWith('join__'),
    ),
  }
}

function typeOf(n: number, types: number): string {
  const isEntity = n < ENTITIES
  const graphs = isEntity
    ? '@join__type(graph: A, key: "id") @join__type(graph: B, key: "id")'
    : '@join__type(graph: A)'
  const own = isEntity ? ' @join__field(graph: A)' : ''
  const shared = isEntity
    ? `stock(at: Colour): Int @join__field(graph: B) twin: T${(n + 1) % ENTITIES} @join__field(graph: B)`
    : ''
  return `type T${n} implements Node & Kind${n % KINDS} @join__implements(graph: A, interface: "Node") @join__implements(graph: A, interface: "Kind${n % KINDS}") ${graphs} {
    id: ID! name(prefix: String): String${own} peers(first: Int = 2): [Kind${n % KINDS}!]!${own} next: T${(n * 7 + 1) % types}${own} all: [Any!]!${own} score: Float${own} json: JSON${own} ${shared}
  }`
}
