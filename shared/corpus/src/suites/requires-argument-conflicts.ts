import { FED2, find, findAll, type Suite } from '../harness/suite.ts'

/** One field required with one argument here and with another there, while the client asks with a third. */
export const requiresArgumentConflicts: Suite = {
  name: 'requirements that differ in arguments',
  monolith: `
    type Query { product: Product products: [Product] }
    type Product { id: ID! price(currency: String!, round: Boolean = false): Int delivery(currency: String): String gift(note: String!): String! options(only: Filter): [Option!] choice: String pick: Option }
    type Option { name: String price(currency: String!): Int }
    input Filter { names: [String!] min: Int = 0 }
  `,
  tables: () => ({
    Product: [
      { __typename: 'Product', id: '1', cost: 10, options: ['red', 'blue'] },
      { __typename: 'Product', id: '2', cost: null, options: [] },
    ],
    Option: [
      { __typename: 'Option', name: 'red', cost: 1 },
      { __typename: 'Option', name: 'blue', cost: 2 },
    ],
  }),
  fields: {
    'Query.product': (_row, _args, tables) => find(tables['Product'], 'id', '1'),
    'Query.products': (_row, _args, tables) => [tables['Product']?.[1], null, tables['Product']?.[0]],
    'Product.price': (row, { currency }) => (row['cost'] === null ? null : price(row['cost'], currency)),
    'Option.price': (row, { currency }) => price(row['cost'], currency),
    'Product.options': (row, { only }, tables) => {
      const names = (only as { names?: string[] } | null | undefined)?.names
      return findAll(tables['Option'], 'name', row['options']).filter(
        (option) => names === undefined || names.includes(String(option?.['name'])),
      )
    },
    'Product.pick': (row, _args, tables) => findAll(tables['Option'], 'name', row['options'])[0] ?? null,
  },
  computed: {
    'Product.delivery': {
      compute: ({ price: cost }, { currency }) => `${String(cost)} USD, shown in ${String(currency)}`,
      inputs: (row) => ({ price: row['cost'] === null ? null : price(row['cost'], 'USD') }),
    },
    'Product.gift': {
      compute: ({ price: cost }, { note }) => {
        if (cost === null) throw new Error('no gift')
        return `${Number(cost)} EUR ${String(note)}`
      },
      inputs: (row) => ({ price: row['cost'] === null ? null : price(row['cost'], 'EUR') }),
    },
    'Product.choice': {
      compute: ({ options }) =>
        (options as { name: string; price: number }[]).map((o) => `${o.name}=${o.price}`).join(),
      inputs: (row) => ({
        options: (row['options'] as string[])
          .filter((name) => name === 'blue')
          .map((name) => ({ name, price: price(2, 'EUR') })),
      }),
    },
  },
  subgraphs: {
    prices: {
      sdl: `${FED2}
        type Query { product: Product products: [Product] }
        type Product @key(fields: "id") { id: ID! price(currency: String!, round: Boolean = false): Int options(only: Filter): [Option!] pick: Option }
        type Option { name: String price(currency: String!): Int }
        input Filter { names: [String!] min: Int = 0 }`,
    },
    delivery: {
      sdl: `${FED2}
        type Product @key(fields: "id") {
          id: ID! price(currency: String!, round: Boolean = false): Int @external
          delivery(currency: String): String @requires(fields: "price(currency: \\"USD\\")")
        }`,
    },
    gifts: {
      sdl: `${FED2}
        type Product @key(fields: "id") {
          id: ID! price(currency: String!, round: Boolean = false): Int @external
          options(only: Filter): [Option!] @external
          gift(note: String!): String! @requires(fields: "price(currency: \\"EUR\\")")
          choice: String @requires(fields: "options(only: { names: [\\"blue\\"] }) { name price(currency: \\"EUR\\") }")
        }
        type Option @external { name: String price(currency: String!): Int }
        input Filter { names: [String!] min: Int = 0 }`,
    },
  },
  operations: [
    { name: 'one requirement', query: '{ product { delivery(currency: "NOK") } }' },
    { name: 'two requirements', query: '{ product { delivery gift(note: "hi") } }' },
    {
      name: 'two requirements and the client',
      query: '{ product { price(currency: "NOK") gift(note: "a") delivery(currency: "NOK") } }',
    },
    {
      name: 'the client by the name of the input',
      query: '{ product { price: delivery delivery: price(currency: "NOK", round: true) } }',
    },
    {
      name: 'arguments below arguments',
      query: '{ product { choice options { name price(currency: "USD") } } }',
    },
    {
      name: 'the client filters the same list otherwise',
      query: '{ product { options(only: { names: ["red"] }) { price(currency: "NOK") name } choice } }',
    },
    {
      name: 'variables inside required arguments of both',
      query:
        'query ($c: String!, $n: [String!], $t: String!) { product { price(currency: $c) gift(note: $t) options(only: { names: $n, min: 1 }) { price(currency: $c) } choice } }',
      variables: { c: 'EUR', n: ['blue', 'red'], t: 'x' },
    },
    {
      name: 'many aliases',
      query:
        '{ product { a: price(currency: "USD") b: price(currency: "EUR") c: price(currency: "NOK") price: price(currency: "EUR", round: true) gift(note: "") delivery } }',
    },
    {
      name: 'fragments',
      query:
        '{ product { ...P ... on Product { price(currency: "NOK") } } } fragment P on Product { delivery ... { choice } }',
    },
    {
      name: 'conditions',
      query:
        'query ($g: Boolean!) { product { price(currency: "NOK") gift(note: "n") @include(if: $g) delivery @skip(if: $g) } }',
      variables: { g: false },
    },
    {
      name: 'a requirement that fails, non-null',
      query: '{ products { id price(currency: "USD") gift(note: "n") } }',
      errors: 'exact',
    },
    { name: 'lists', query: '{ products { id choice options { price(currency: "USD") } } }' },
  ],
}

function price(cost: unknown, currency: unknown): number {
  return Number(cost) * (currency === 'USD' ? 1 : currency === 'EUR' ? 2 : 10)
}
