import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Requirements through a hierarchy of interfaces, some of whose types are inaccessible and some unknown to
 * the computing subgraph.
 */
export const requiresHiddenTypes: Suite = {
  name: 'fragments over interface hierarchies in requirements',
  monolith: `
    type Query { a: Entity bb: Entity entities: [Entity] }
    type Entity { id: ID! data: Data! seen: String! requirer: String! again: String strict: Int! batch: [Data!] batched: String }
    interface Data { foo: String! }
    interface Base implements Data { foo: String! base: Int }
    type Left implements Data { foo: String! left: String! }
    type Right implements Data & Base { foo: String! base: Int right: String! }
  `,
  tables: () => ({
    Entity: [
      {
        __typename: 'Entity',
        id: '1',
        data: { __typename: 'Left', foo: 'f1', left: 'l1' },
        batch: [],
        strict: 1,
      },
      {
        __typename: 'Entity',
        id: '2',
        data: { __typename: 'Right', foo: 'f2', base: 2, right: 'r2' },
        batch: [
          { __typename: 'Left', foo: 'x', left: 'y' },
          { __typename: 'Right', foo: 'z', base: null, right: 'w' },
        ],
        strict: new Error('no strict'),
      },
      {
        __typename: 'Entity',
        id: '3',
        data: { __typename: 'Right', foo: new Error('no foo'), base: null, right: 'r3' },
        batch: null,
        strict: 3,
      },
    ],
  }),
  fields: {
    'Query.a': (_row, _args, tables) => find(tables['Entity'], 'id', '1'),
    'Query.bb': (_row, _args, tables) => find(tables['Entity'], 'id', '2'),
    'Query.entities': (_row, _args, tables) => [
      find(tables['Entity'], 'id', '2'),
      null,
      find(tables['Entity'], 'id', '1'),
    ],
  },
  computed: {
    'Entity.seen': {
      compute: ({ id }) => `seen ${String(id)}`,
    },
    'Entity.requirer': { compute: ({ data }) => describe(data) },
    'Entity.again': { compute: ({ data }) => `again ${describe(data)}` },
    'Entity.batched': { compute: ({ batch }) => (batch as unknown[] | null)?.map(describe).join() ?? 'none' },
  },
  subgraphs: {
    entities: {
      sdl: `${FED2}
        type Query { a: Entity bb: Entity entities: [Entity] }
        type Entity @key(fields: "id") { id: ID! data: Data! batch: [Data!] seen: String! strict: Int! }
        interface Data { foo: String! }
        interface Base implements Data { foo: String! base: Int }
        type Left implements Data @shareable { foo: String! left: String! }
        type Right implements Data & Base @shareable { foo: String! base: Int right: String! }
        type Secret implements Data & Base @inaccessible { foo: String! base: Int word: String! }`,
      fields: { 'Entity.seen': (row) => `seen ${String(row['id'])}` },
    },
    texts: {
      sdl: `${FED2}
        type Entity @key(fields: "id") {
          id: ID! data: Data! @external batch: [Data!] @external
          requirer: String! @requires(fields: "data { foo ... on Base { base ... on Right { right } } ... on Left { left } }")
          batched: String @requires(fields: "batch { ... on Data { foo } ... on Right { right } ... on Left { left } ... on Base { base } }")
        }
        interface Data { foo: String! }
        interface Base implements Data { foo: String! base: Int }
        type Left implements Data @shareable { foo: String! left: String! }
        type Right implements Data & Base @shareable { foo: String! base: Int right: String! }`,
    },
    more: {
      sdl: `${FED2}
        type Entity @key(fields: "id") { id: ID! data: Data! @external again: String @requires(fields: "data { foo ... on Left { left } ... on Right { right base } }") }
        interface Data { foo: String! }
        type Left implements Data @shareable { foo: String! left: String! }
        type Right implements Data @shareable { foo: String! base: Int right: String! }`,
    },
  },
  operations: [
    { name: 'one type', query: '{ a { requirer } }' },
    { name: 'the other type, through the sub-interface', query: '{ bb { requirer } }' },
    { name: 'two subgraphs with fragments of their own', query: '{ bb { requirer again } a { again } }' },
    {
      name: 'the client selects other parts',
      query: '{ bb { data { ... on Base { base } } requirer } a { data { __typename } again } }',
    },
    { name: 'lists of objects', query: '{ entities { batched } }' },
    {
      name: 'aliases on top of the inputs',
      query:
        '{ entities { data { foo: __typename ... on Left { left: foo } ... on Right { right: foo base: right } } requirer } }',
    },
    {
      name: 'fragments',
      query:
        '{ entities { ...E } } fragment E on Entity { data { ... on Data { ... on Base { ... on Right { right } } foo } } requirer }',
    },
    {
      name: 'conditions',
      query: 'query ($r: Boolean!) { entities { seen requirer @include(if: $r) again @skip(if: $r) } }',
      variables: { r: false },
    },
    {
      name: 'nothing but type names beside it',
      query: '{ bb { __typename requirer batch { __typename } } }',
    },
    {
      name: 'a non-null error beside the requirement',
      query: '{ entities { requirer strict } }',
      errors: 'exact',
    },
  ],
}

function describe(data: unknown): string {
  const seen = data as { __typename: string; foo: string; left: string; right: string; base: number | null }
  return seen.__typename === 'Left'
    ? `left ${seen.foo} ${seen.left}`
    : `right ${seen.foo} ${seen.right} ${seen.base}`
}
