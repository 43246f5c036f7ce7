import { FED2, find, type Suite } from '../harness/suite.ts'

/** Parts of the schema that clients must not see but plans still need. */
export const inaccessible: Suite = {
  name: 'inaccessible',
  monolith: `
    type Query { items: [Item!]! item(name: String!): Item things: [Thing!]! haunted: [Thing] levels: [Level] find(text: String = "all"): [Item] }
    type Item { name: String! level: Level price: Int total: Int origin: Origin }
    type Origin { country: String }
    interface Thing { name: String! }
    type Tool implements Thing { name: String! use: String }
    enum Level { LOW HIGH }
  `,
  tables: () => ({
    Item: [
      {
        __typename: 'Item',
        sku: 's1',
        name: 'one',
        level: 'LOW',
        price: 5,
        tax: 1,
        secret: 7,
        origin: { __typename: 'Origin', country: 'NO', port: 'Oslo' },
      },
      {
        __typename: 'Item',
        sku: 's2',
        name: 'two',
        level: 'HIDDEN',
        price: 6,
        tax: null,
        secret: 8,
        origin: null,
      },
    ],
    Tool: [{ __typename: 'Tool', name: 'saw', use: 'cut' }],
    Ghost: [{ __typename: 'Ghost', name: 'boo' }],
  }),
  fields: {
    'Query.items': (_row, _args, tables) => tables['Item'],
    'Query.item': (_row, args, tables) => find(tables['Item'], 'name', args['name']),
    'Query.things': (_row, _args, tables) => tables['Tool'],
    'Query.haunted': (_row, _args, tables) => [tables['Tool']?.[0], tables['Ghost']?.[0]],
    'Query.levels': () => ['LOW', 'HIDDEN', 'HIGH', null],
    'Query.find': (_row, { text, deep }, tables) =>
      deep === true ? [] : (tables['Item'] ?? []).filter(({ name }) => text === 'all' || name === text),
  },
  computed: {
    'Item.total': { compute: ({ tax, secret }) => Number(tax) * 100 + Number(secret) * 1000 },
  },
  subgraphs: {
    goods: {
      sdl: `${FED2}
        type Query {
          items: [Item!]!
          item(name: String!): Item
          things: [Thing!]!
          haunted: [Thing]
          levels: [Level]
          find(text: String = "all", deep: Boolean = false @inaccessible): [Item]
          internalItems: [Item!]! @inaccessible
        }
        type Item @key(fields: "sku") { sku: ID! @inaccessible name: String! level: Level tax: Int @inaccessible origin: Origin }
        type Origin { country: String port: String @inaccessible }
        interface Thing { name: String! }
        type Tool implements Thing { name: String! use: String }
        type Ghost implements Thing @inaccessible { name: String! }
        enum Level { LOW HIGH HIDDEN @inaccessible }`,
    },
    money: {
      sdl: `${FED2}
        type Item @key(fields: "sku") {
          sku: ID!
          tax: Int @external
          secret: Int @external
          price: Int
          total: Int @requires(fields: "tax secret")
        }`,
    },
    vault: { sdl: `${FED2} type Item @key(fields: "sku") { sku: ID! secret: Int @inaccessible }` },
  },
  operations: [
    { name: 'an object of an inaccessible type', query: '{ haunted { name } }', errors: 'exact' },
    {
      name: 'the name of an inaccessible type',
      query: '{ haunted { __typename ... on Tool { use } } }',
      errors: 'exact',
    },
    { name: 'an inaccessible key', query: '{ items { name price } }' },
    {
      name: 'inaccessible inputs of a requirement, from two subgraphs',
      query: '{ item(name: "one") { total } }',
    },
    { name: 'beside an inaccessible field', query: '{ items { origin { country } } }' },
    { name: 'an inaccessible enum value in the data', query: '{ items { name level } }', errors: 'exact' },
    { name: 'an inaccessible enum value in a list', query: '{ levels }', errors: 'exact' },
    { name: 'an inaccessible argument keeps its own default', query: '{ find { name } }' },
    {
      name: 'beside an inaccessible argument',
      query: 'query ($t: String) { find(text: $t) { name price } }',
      variables: { t: 'two' },
    },
    {
      name: 'an interface with an inaccessible type',
      query: '{ things { __typename name ... on Tool { use } } }',
    },
    {
      name: 'the client schema hides them',
      anyOrder: true,
      query:
        '{ item: __type(name: "Item") { fields { name } } level: __type(name: "Level") { enumValues { name } } ghost: __type(name: "Ghost") { name } find: __type(name: "Query") { fields { name args { name } } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean!) { items { name total @include(if: $t) price @skip(if: $t) } haunted @include(if: $t) { name } }',
      variables: { t: false },
    },
  ],
}
