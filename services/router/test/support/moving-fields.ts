/** A graph of two subgraphs, "old" and "fresh", whose fields are on their way from one to the other. */
import { buildSchema, graphql } from 'graphql'
import type { RawSubgraph } from './ledger.ts'

const SCHEMA = buildSchema(`
  scalar _Any
  union _Entity = Post
  type Query { latest: Post all: [Post] _entities(representations: [_Any!]!): [_Entity]! }
  type Post { id: ID! title: String views: String likes: String }`)

/** Every value says which subgraph it comes from. */
export function answerAs(subgraph: RawSubgraph, name: string): void {
  const entry = (id: string) => ({ __typename: 'Post', id, title: name, views: name, likes: name })
  const rootValue = {
    latest: () => entry('1'),
    all: () => [entry('1'), entry('2')],
    _entities: ({ representations }: { representations: { id: string }[] }) =>
      representations.map(({ id }) => entry(id)),
  }
  subgraph.answers((body, response) => {
    const { query, variables } = JSON.parse(body)
    void graphql({ schema: SCHEMA, source: query, variableValues: variables, rootValue }).then((result) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
    )
  })
}

/** The labels of three fields. */
export type Labels = { readonly latest: string; readonly views: string; readonly likes: string }

/** `urls`: where the two subgraphs are. */
export function movingSupergraph(
  { latest, views, likes }: Labels,
  urls: { readonly old: string; readonly fresh: string },
): string {
  const moving = (label: string) =>
    `@join__field(graph: FRESH, override: "old", overrideLabel: "${label}") @join__field(graph: OLD, overrideLabel: "${label}")`
  return `
    schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
    { query: Query }
    enum join__Graph {
      FRESH @join__graph(name: "fresh", url: "${urls.fresh}")
      OLD @join__graph(name: "old", url: "${urls.old}")
    }
    type Query @join__type(graph: FRESH) @join__type(graph: OLD) {
      latest: Post ${moving(latest)}
      all: [Post] @join__field(graph: OLD)
    }
    type Post @join__type(graph: FRESH, key: "id") @join__type(graph: OLD, key: "id") {
      id: ID!
      title: String @join__field(graph: OLD)
      views: String ${moving(views)}
      likes: String ${moving(likes)}
    }`
}
