import { FED2, find, type Suite } from '../harness/suite.ts'

/** Skipped fields, whose requirements must not be fetched, even through a chain of requirements. */
export const skippedRequires: Suite = {
  name: 'requirements of skipped fields',
  monolith: `
    type Query { order: Order orders: [Order!]! }
    type Order { id: ID! memo: String! price: Float! gross: Float! express: Boolean offer(code: String): String stamp: Stamp }
    type Stamp { text: String! ink: String }
  `,
  tables: () => ({
    Order: [
      { __typename: 'Order', id: '1', price: 100, memo: 'm' },
      { __typename: 'Order', id: '2', price: 50, memo: new Error('no memo') },
    ],
  }),
  fields: {
    'Query.order': (_row, _args, tables) => find(tables['Order'], 'id', '1'),
    'Query.orders': (_row, _args, tables) => tables['Order'],
  },
  computed: {
    'Order.gross': { compute: ({ price }) => grossOf(price) },
    'Order.express': {
      compute: ({ gross }) => Number(gross) > 110,
      inputs: (row) => ({ gross: grossOf(row['price']) }),
    },
    'Order.offer': {
      compute: ({ express }, { code }) => `${String(code)}:${String(express)}`,
      inputs: (row) => ({ express: grossOf(row['price']) > 110 }),
    },
    'Order.stamp': {
      compute: ({ express }) => ({ __typename: 'Stamp', text: express === true ? 'X' : 'N', ink: null }),
      inputs: (row) => ({ express: grossOf(row['price']) > 110 }),
    },
  },
  subgraphs: {
    orders: {
      sdl: `${FED2} type Query { order: Order orders: [Order!]! } type Order @key(fields: "id") { id: ID! price: Float! memo: String! }`,
    },
    taxes: {
      sdl: `${FED2} type Order @key(fields: "id") { id: ID! price: Float! @external gross: Float! @requires(fields: "price") }`,
    },
    post: {
      sdl: `${FED2} type Order @key(fields: "id") { id: ID! gross: Float! @external express: Boolean @requires(fields: "gross") }`,
    },
    offers: {
      sdl: `${FED2}
        type Order @key(fields: "id") { id: ID! express: Boolean @external offer(code: String): String @requires(fields: "express") stamp: Stamp @requires(fields: "express") }
        type Stamp { text: String! ink: String }`,
    },
  },
  operations: [
    { name: 'the whole chain', query: '{ order { offer(code: "a") } }' },
    { name: 'skipped with a literal', query: '{ order { price offer(code: "a") @skip(if: true) } }' },
    {
      name: 'not included with a variable',
      query: 'query ($c: Boolean!) { order { price offer(code: "a") @include(if: $c) } }',
      variables: { c: false },
    },
    {
      name: 'included with a variable',
      query: 'query ($c: Boolean!) { order { price offer(code: "a") @include(if: $c) } }',
      variables: { c: true },
    },
    {
      name: 'both directives against each other',
      query: 'query ($c: Boolean! = true) { order { id express @skip(if: $c) @include(if: $c) } }',
    },
    {
      name: 'the same field kept under another name',
      query:
        'query ($c: Boolean!, $v: String) { order { a: offer(code: $v) @skip(if: $c) b: offer(code: "b") } }',
      variables: { c: true, v: 'unused' },
    },
    {
      name: 'skipped in one fragment, kept in another',
      query:
        'query ($c: Boolean!) { order { ... on Order @skip(if: $c) { express gross } ...G } } fragment G on Order { gross }',
      variables: { c: true },
    },
    {
      name: 'an empty object is left',
      query: 'query ($c: Boolean!) { order { stamp { text @skip(if: $c) ink @skip(if: $c) } } }',
      variables: { c: true },
    },
    {
      name: 'everything skipped',
      query: 'query ($c: Boolean!) { order @skip(if: $c) { offer } orders @include(if: false) { express } }',
      variables: { c: true },
    },
    {
      name: 'only the type name stays',
      query: 'query ($c: Boolean!) { order { __typename offer @skip(if: $c) } }',
      variables: { c: true },
    },
    {
      name: 'a failing field beside it',
      query:
        'query ($c: Boolean!) { orders { id express @skip(if: $c) memo @skip(if: $c) } order { express @include(if: $c) } }',
      variables: { c: true },
    },
    {
      name: 'a list',
      query: 'query ($c: Boolean!) { orders { id offer @include(if: $c) } order { gross } }',
      variables: { c: false },
    },
    { name: 'a failing field nobody skipped', query: '{ orders { id memo } }', errors: 'exact' },
  ],
}

function grossOf(price: unknown): number {
  return Number(price) * 1.2
}
