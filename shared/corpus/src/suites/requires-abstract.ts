import { FED2, find, type Suite } from '../harness/suite.ts'

/** Inputs behind interfaces and unions, some of whose types the computing subgraph has never heard of. */
export const requiresAbstract: Suite = {
  name: 'requires over abstract types',
  monolith: `
    type Query { orders: [Order!]! order(id: ID!): Order }
    type Order { id: ID! payment: Payment extras: [Extra!]! receipt: String packing: String }
    interface Payment { amount: Int! }
    type Card implements Payment { amount: Int! digits: String issuer: String }
    type Cash implements Payment { amount: Int! coins: Int }
    type Barter implements Payment { amount: Int! goat: String }
    union Extra = Gift | Note
    type Gift { paper: String ribbon: Boolean }
    type Note { text: String }
  `,
  tables: () => ({
    Order: [
      {
        __typename: 'Order',
        id: '1',
        payment: { __typename: 'Card', amount: 5, digits: '42', issuer: 'bank' },
        extras: [
          { __typename: 'Gift', paper: 'red', ribbon: true },
          { __typename: 'Note', text: 'hi' },
        ],
      },
      { __typename: 'Order', id: '2', payment: { __typename: 'Cash', amount: 6, coins: 3 }, extras: [] },
      {
        __typename: 'Order',
        id: '3',
        payment: { __typename: 'Barter', amount: 7, goat: 'Billy' },
        extras: [{ __typename: 'Note', text: null }],
      },
      {
        __typename: 'Order',
        id: '4',
        payment: null,
        extras: [{ __typename: 'Gift', paper: null, ribbon: null }],
      },
    ],
  }),
  fields: {
    'Query.orders': (_row, _args, tables) => tables['Order'],
    'Query.order': (_row, args, tables) => find(tables['Order'], 'id', args['id']),
  },
  computed: {
    'Order.receipt': {
      compute: (inputs) => {
        const payment = inputs['payment'] as null | {
          __typename: string
          amount: number
          digits: string
          coins: number
        }
        if (payment === null) return 'unpaid'
        if (payment.__typename === 'Card') return `card ${payment.digits} ${payment.amount}`
        if (payment.__typename === 'Cash') return `cash ${payment.coins} ${payment.amount}`
        return `other ${payment.amount}`
      },
    },
    'Order.packing': {
      compute: (inputs) =>
        (inputs['extras'] as { __typename: string; paper: string | null; text: string | null }[])
          .map((extra) => (extra.__typename === 'Gift' ? `gift:${extra.paper}` : `note:${extra.text}`))
          .join(),
    },
  },
  subgraphs: {
    orders: {
      sdl: `${FED2}
        type Query { orders: [Order!]! order(id: ID!): Order }
        type Order @key(fields: "id") { id: ID! payment: Payment extras: [Extra!]! }
        interface Payment { amount: Int! }
        type Card implements Payment @shareable { amount: Int! digits: String issuer: String }
        type Cash implements Payment @shareable { amount: Int! coins: Int }
        type Barter implements Payment @shareable { amount: Int! goat: String }
        union Extra = Gift | Note
        type Gift @shareable { paper: String ribbon: Boolean }
        type Note @shareable { text: String }`,
    },
    printer: {
      sdl: `${FED2}
        type Order @key(fields: "id") {
          id: ID!
          payment: Payment @external
          extras: [Extra!]! @external
          receipt: String @requires(fields: "payment { amount ... on Card { digits } ... on Cash { coins } }")
          packing: String @requires(fields: "extras { ... on Gift { paper } ... on Note { text } }")
        }
        interface Payment { amount: Int! }
        type Card implements Payment @shareable { amount: Int! digits: String }
        type Cash implements Payment @shareable { amount: Int! coins: Int }
        union Extra = Gift | Note
        type Gift @shareable { paper: String }
        type Note @shareable { text: String }`,
    },
  },
  operations: [
    { name: 'fragments on an interface', query: '{ orders { id receipt } }' },
    { name: 'fragments on a union', query: '{ orders { packing } }' },
    { name: 'both', query: '{ orders { packing receipt } }' },
    {
      name: 'with the same object selected otherwise by the client',
      query: '{ orders { payment { ... on Card { issuer } ... on Barter { goat } } receipt } }',
    },
    {
      name: 'with type names selected by the client',
      query:
        '{ orders { kind: __typename payment { what: __typename } receipt extras { __typename } packing } }',
    },
    {
      name: 'client aliases on top of the inputs',
      query:
        '{ orders { payment { ... on Card { digits: issuer } ... on Cash { coins: amount } } receipt } }',
    },
    {
      name: 'one order whose payment type the printer does not know',
      query: '{ order(id: "3") { receipt packing payment { amount } } }',
    },
    { name: 'one order without payment', query: '{ order(id: "4") { receipt packing } }' },
  ],
}
