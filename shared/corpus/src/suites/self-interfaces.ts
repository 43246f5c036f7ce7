import { FED2, find, type Suite } from '../harness/suite.ts'

/** An interface whose field leads to the interface again, narrower in the types, and provided on the way. */
export const selfInterfaces: Suite = {
  name: 'interfaces that contain themselves',
  monolith: `
    type Query { start: Tile tiles: [Tile!]! }
    interface Tile { twin: Tile next: [Tile] }
    type Stone implements Tile { id: ID! twin: Stone next: [Stone] weight: Float! hue: String glaze: String }
  `,
  tables: () => ({
    Stone: [
      {
        __typename: 'Stone',
        id: 'a',
        twin: 'b',
        next: ['b', null, 'c'],
        weight: 1.5,
        hue: 'red',
        glaze: 'matt',
      },
      {
        __typename: 'Stone',
        id: 'b',
        twin: 'c',
        next: ['a'],
        weight: 2,
        hue: null,
        glaze: new Error('no glaze'),
      },
      {
        __typename: 'Stone',
        id: 'c',
        twin: null,
        next: null,
        weight: new Error('no weight'),
        hue: 'blue',
        glaze: null,
      },
    ],
  }),
  fields: {
    'Query.start': (_row, _args, tables) => tables['Stone']?.[0],
    'Query.tiles': (_row, _args, tables) => tables['Stone'],
    'Stone.twin': (row, _args, tables) => find(tables['Stone'], 'id', row['twin']),
    'Stone.next': (row, _args, tables) =>
      Array.isArray(row['next']) ? row['next'].map((id) => find(tables['Stone'], 'id', id)) : null,
  },
  subgraphs: {
    floor: {
      sdl: `${FED2}
        type Query { start: Tile tiles: [Tile!]! }
        interface Tile { twin: Tile next: [Tile] }
        type Stone implements Tile @key(fields: "id") {
          id: ID!
          twin: Stone @provides(fields: "weight")
          next: [Stone] @provides(fields: "hue twin { weight }")
          weight: Float! @external
          hue: String @external
        }`,
    },
    yard: {
      sdl: `${FED2} type Stone @key(fields: "id") { id: ID! weight: Float! @shareable hue: String @shareable glaze: String }`,
    },
  },
  operations: [
    { name: 'the interface field alone', query: '{ start { twin { __typename } } }' },
    {
      name: 'a provided field behind a type condition',
      query: '{ start { twin { ... on Stone { id weight } } } }',
    },
    {
      name: 'what is provided one step later, not here',
      query: '{ start { ... on Stone { hue twin { hue } } } }',
    },
    {
      name: 'three steps',
      query: '{ start { twin { twin { ... on Stone { id hue glaze } twin { __typename } } } } }',
    },
    {
      name: 'provided below what is provided',
      query: '{ start { next { twin { ... on Stone { id } } ... on Stone { hue twin { id } } } } }',
    },
    {
      name: 'aliases of all steps',
      query:
        '{ one: start { a: twin { b: twin { ... on Stone { weight: id id: hue } } c: twin { __typename } } } }',
    },
    {
      name: 'conditions on the provided part',
      query:
        'query ($deep: Boolean! = false) { start { twin { ... on Stone { id weight @include(if: $deep) twin @skip(if: $deep) { id } } } } }',
    },
    {
      name: 'an error two steps down',
      query: '{ tiles { twin { ... on Stone { id glaze } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error that takes its stone along',
      query: '{ tiles { ... on Stone { id next { weight } twin { weight } } } }',
      errors: 'exact',
    },
    {
      name: 'lists in lists of the interface',
      query: '{ tiles { next { next { ... on Stone { id glaze2: hue } } } } }',
    },
  ],
}
