/** A graph with an input of every kind. */
type Input = { readonly type: string; readonly field: string; readonly withDefault?: string }

const TYPES: readonly (readonly [string, string?])[] = [
  ['Int', '3'],
  ['Int!'],
  ['Float'],
  ['String'],
  ['Boolean!', 'true'],
  ['ID'],
  ['ID!'],
  ['Colour', 'BLUE'],
  ['JSON'],
  ['JSON!'],
  ['[Int]'],
  ['[Int!]!'],
  ['[[Int!]]'],
  ['[[ID]!]!'],
  ['[Colour!]'],
  ['[JSON]'],
  ['Deep', '{ need: 1, list: [{ need: 2 }] }'],
  ['Deep!'],
  ['[Deep]'],
  ['[[Deep!]!]'],
  ['Pick'],
  ['[Pick!]'],
]

export const INPUT_TYPES: readonly Input[] = TYPES.map(([type, withDefault], index) => ({
  type,
  field: `f${index}`,
  ...(withDefault === undefined ? {} : { withDefault }),
}))

export const INPUTS = /* GraphQL */ `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
  directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT | ENUM | INPUT_OBJECT | SCALAR
  directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
  enum link__Purpose { EXECUTION }
  enum join__Graph { A @join__graph(name: "a", url: "http://a.example/graphql") }
  type Query @join__type(graph: A) {
    me: Int
    loop(v: Loop): Int
    ${INPUT_TYPES.map(({ type, field }) => `${field}(v: ${type}): Int`).join('\n')}
  }
  enum Colour @join__type(graph: A) { RED @join__enumValue(graph: A) BLUE @join__enumValue(graph: A) }
  input Deep @join__type(graph: A) { need: Int! colour: Colour = RED x: String deep: Deep list: [Deep] = [{ need: 5, list: null }] any: JSON }
  input Pick @oneOf @join__type(graph: A) { a: Int b: [Deep] }
  input Loop @join__type(graph: A) { again: Loop = {} size: Int }
  scalar JSON @join__type(graph: A)
`
