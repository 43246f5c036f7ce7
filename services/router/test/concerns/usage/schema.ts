/** A graph with inputs, enums and a custom scalar, for tests of what operations use. */
import {
  compileSupergraph,
  type Graph,
  openGraph,
  type Operation,
  prepareOperation,
} from '@switchyard/engine'

export const graph: Graph = openGraph(
  compileSupergraph(`
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query mutation: Mutation }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.test/") }
    type Query @join__type(graph: A) {
      products(filter: Filter, order: Order = NAME, first: Int, ids: [ID!]): [Product!]
      node(id: ID!): Node
      search(by: Anything, deep: [[Filter]]): Product
    }
    type Mutation @join__type(graph: A) { rename(id: ID!, name: String!): Product }
    interface Node @join__type(graph: A) { id: ID! }
    type Product implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { id: ID! name(upper: Boolean): String price: Float }
    input Filter @join__type(graph: A) { name: String = "any" above: Float order: Order and: [Filter!] free: Anything }
    enum Order @join__type(graph: A) { NAME @join__enumValue(graph: A) PRICE @join__enumValue(graph: A) }
    scalar Anything @join__type(graph: A)
  `),
)

export const operationOf = (document: string, operationName: string | null = null): Operation =>
  prepareOperation(graph, { document, operationName, defer: true })
