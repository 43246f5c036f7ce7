import { FED2, find, type Suite } from '../harness/suite.ts'

/** Shared fields whose type is stricter, or more concrete, in one subgraph than in the other. */
export const covariantTypes: Suite = {
  name: 'types that differ per subgraph',
  monolith: `
    type Query { carts: [Cart!] cart(id: ID!): Cart first: Cart owner: Party }
    type Cart { id: ID! total: Int notes: [String] lines: [Line] best: Line holder: Party gift: Wrap extra: String parent: Cart }
    type Line { sku: String count: Int price: Int }
    interface Party { id: ID! name: String }
    type Firm implements Party { id: ID! name: String vat: String }
    type Human implements Party { id: ID! name: String age: Int }
    union Wrap = Paper | Box
    type Paper { colour: String }
    type Box { size: Int }
  `,
  tables: () => {
    const lines = [
      { __typename: 'Line', sku: 'a', count: 1, price: 10 },
      { __typename: 'Line', sku: 'b', count: 2, price: 20 },
    ]
    return {
      Firm: [{ __typename: 'Firm', id: 'f', name: 'Inc', vat: 'NO1' }],
      Human: [{ __typename: 'Human', id: 'h', name: 'Hal', age: 40 }],
      Cart: [
        {
          __typename: 'Cart',
          id: '1',
          total: 50,
          notes: ['x', 'y'],
          lines,
          best: lines[0],
          holder: 'f',
          gift: { __typename: 'Paper', colour: 'red' },
          extra: 'e1',
          parent: '2',
        },
        {
          __typename: 'Cart',
          id: '2',
          total: 0,
          notes: [],
          lines: [],
          best: lines[1],
          holder: 'f',
          gift: { __typename: 'Paper', colour: null },
          extra: null,
          parent: null,
        },
      ],
    }
  },
  fields: {
    'Query.carts': (_row, _args, tables) => tables['Cart'],
    'Query.cart': (_row, args, tables) => find(tables['Cart'], 'id', args['id']),
    'Query.first': (_row, _args, tables) => tables['Cart']?.[0],
    'Query.owner': (_row, _args, tables) => tables['Human']?.[0],
    'Cart.holder': (row, _args, tables) =>
      find(tables['Firm'], 'id', row['holder']) ?? find(tables['Human'], 'id', row['holder']),
    'Cart.parent': (row, _args, tables) => find(tables['Cart'], 'id', row['parent']),
  },
  subgraphs: {
    strict: {
      sdl: `${FED2}
        type Query { carts: [Cart!]! @shareable first: Cart! @shareable owner: Party }
        type Cart @key(fields: "id") { id: ID! total: Int! @shareable notes: [String!]! @shareable lines: [Line!]! @shareable best: Line! @shareable holder: Firm! @shareable gift: Wrap @shareable }
        type Line @shareable { sku: String! count: Int! }
        interface Party { id: ID! name: String }
        type Firm implements Party @key(fields: "id") { id: ID! name: String @shareable }
        type Human implements Party @key(fields: "id") { id: ID! name: String @shareable }
        union Wrap = Paper | Box
        type Paper @shareable { colour: String }
        type Box @shareable { size: Int }`,
    },
    loose: {
      sdl: `${FED2}
        type Query { carts: [Cart!] @shareable cart(id: ID!): Cart first: Cart @shareable }
        type Cart @key(fields: "id") { id: ID! total: Int @shareable notes: [String] @shareable lines: [Line] @shareable best: Line @shareable holder: Party @shareable gift: Wrap @shareable extra: String parent: Cart }
        type Line @shareable { sku: String count: Int price: Int }
        interface Party { id: ID! name: String }
        type Firm implements Party @key(fields: "id") { id: ID! name: String @shareable vat: String }
        type Human implements Party @key(fields: "id") { id: ID! name: String @shareable age: Int }
        union Wrap = Paper | Box
        type Paper @shareable { colour: String }
        type Box @shareable { size: Int }`,
    },
  },
  operations: [
    { name: 'stricter lists', query: '{ carts { total notes lines { sku count } } }' },
    { name: 'a field only the looser one has', query: '{ carts { total extra lines { sku price } } }' },
    {
      name: 'an object type here, an interface there',
      query: '{ first { holder { name ... on Firm { vat } ... on Human { age } } } }',
    },
    {
      name: 'the other way round',
      query: '{ cart(id: "1") { holder { __typename name ... on Firm { vat } } best { price count } } }',
    },
    {
      name: 'values below a union',
      query: '{ carts { gift { __typename ... on Paper { colour } ... on Box { size } } } }',
    },
    {
      name: 'parents on one side, values on both',
      query: '{ cart(id: "1") { parent { id total holder { id } lines { sku } } total } }',
    },
    {
      name: 'two roots with different strictness',
      query: '{ first { total best { sku price } } carts { best { count } } }',
    },
    {
      name: 'an interface of another root',
      query: '{ owner { name __typename ... on Human { age } ... on Firm { vat } } }',
    },
  ],
}
