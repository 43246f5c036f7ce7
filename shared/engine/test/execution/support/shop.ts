import { compileSupergraph } from '../../../src/graph/compile.ts'
import { type Graph, openGraph } from '../../../src/graph/graph.ts'
import type { TypeId } from '../../../src/ids/ids.ts'

/** A small supergraph for plans written by hand: two subgraphs, `a` (id 0) and `b` (id 1). */
export const SHOP = /* GraphQL */ `
schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
  @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)
{ query: Query mutation: Mutation }

directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION

scalar join__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum join__Graph {
  A @join__graph(name: "a", url: "http://a.example/graphql")
  B @join__graph(name: "b", url: "http://b.example/graphql")
}

type Query @join__type(graph: A) @join__type(graph: B) {
  product: Product @join__field(graph: A)
  must: Product! @join__field(graph: A)
  products: [Product] @join__field(graph: A)
  strict: [Product!]! @join__field(graph: A)
  grid: [[Product!]] @join__field(graph: A)
  node: Node @join__field(graph: A)
  nodes: [Node] @join__field(graph: A)
  scalars: Scalars @join__field(graph: A)
  again: Query @join__field(graph: A)
  stats: Stats
}
type Mutation @join__type(graph: A) @join__type(graph: B) {
  first: Int! @join__field(graph: A)
  second: Int @join__field(graph: B)
}
interface Node @join__type(graph: A) @join__type(graph: B) { id: ID! }
type Product implements Node
  @join__implements(graph: A, interface: "Node") @join__implements(graph: B, interface: "Node")
  @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
  id: ID!
  name: String @join__field(graph: A)
  upc: String! @join__field(graph: A)
  maker: Maker @join__field(graph: A)
  price: Int! @join__field(graph: B)
  stock: Int @join__field(graph: B)
  label: String @join__field(graph: B, requires: "name")
}
type Secret implements Node @inaccessible
  @join__implements(graph: A, interface: "Node")
  @join__type(graph: A) { id: ID! }
type Maker implements Node
  @join__implements(graph: A, interface: "Node")
  @join__type(graph: A, key: "id") { id: ID! name: String! country: String }
type Stats @join__type(graph: A) @join__type(graph: B) {
  rows: [Row]
}
type Row @join__type(graph: A) @join__type(graph: B) {
  left: Int @join__field(graph: A)
  right: Int @join__field(graph: B)
}
enum Colour @join__type(graph: A) {
  RED @join__enumValue(graph: A)
  HIDDEN @join__enumValue(graph: A) @inaccessible
}
scalar JSON @join__type(graph: A)
type Scalars @join__type(graph: A) {
  string: String
  int: Int
  float: Float
  boolean: Boolean
  id: ID
  colour: Colour
  json: JSON
  numbers: [[Int!]!]
}
`

export function openShop(): { readonly graph: Graph; readonly type: (name: string) => TypeId } {
  const graph = openGraph(compileSupergraph(SHOP))
  return {
    graph,
    type: (name) => {
      const id = graph.typeByName.get(name)
      if (id === undefined) throw new Error(`The shop has no type ${name}.`)
      return id
    },
  }
}
