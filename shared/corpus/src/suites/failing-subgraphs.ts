import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Subgraphs that fail as a whole or answer nonsense. The monolith's fields throw instead, so data must be
 * equal; of the errors only the neighbourhood can be, since one failed fetch is one error.
 */
export const failingSubgraphs: Suite = {
  name: 'failing subgraphs',
  monolith: `
    type Query { sure: [Item!]! item(id: ID!): Item down: Int away: Item }
    type Item { id: ID! name: String http: Int net: String short: Int must: Int! shape: String list: [Int] kind: Kind part: Part wrong: Int }
    type Part { label: String }
    enum Kind { A B }
  `,
  tables: () => ({
    Item: [
      { __typename: 'Item', id: '1', name: 'one' },
      { __typename: 'Item', id: '2', name: 'two' },
    ],
  }),
  fields: {
    'Query.sure': (_row, _args, tables) => tables['Item'],
    'Query.item': (_row, args, tables) => find(tables['Item'], 'id', args['id']),
    'Query.down': fail,
    'Query.away': fail,
    'Item.http': fail,
    'Item.net': fail,
    'Item.must': fail,
    'Item.short': (row) => (row['id'] === '1' ? 11 : fail()),
    'Item.shape': fail,
    'Item.list': fail,
    'Item.kind': fail,
    'Item.part': fail,
    'Item.wrong': (row) => (row['id'] === '1' ? fail() : 5),
  },
  subgraphs: {
    good: {
      sdl: `${FED2} type Query { sure: [Item!]! item(id: ID!): Item } type Item @key(fields: "id") { id: ID! name: String }`,
    },
    http: {
      sdl: `${FED2} type Query { down: Int } type Item @key(fields: "id") { id: ID! http: Int }`,
      sabotage: () => ({ kind: 'answer', status: 500, body: { errors: [{ message: 'internal' }] } }),
    },
    net: {
      sdl: `${FED2} type Query { away: Item } type Item @key(fields: "id") { id: ID! net: String must: Int! }`,
      sabotage: () => ({
        kind: 'failure',
        code: 'SUBGRAPH_UNREACHABLE',
        message: 'The subgraph cannot be reached',
      }),
    },
    short: {
      sdl: `${FED2} type Item @key(fields: "id") { id: ID! short: Int }`,
      sabotage: () => ({
        kind: 'answer',
        status: 200,
        body: { data: { _entities: [{ __typename: 'Item', short: 11 }] } },
      }),
    },
    shapes: {
      sdl: `${FED2} type Item @key(fields: "id") { id: ID! shape: String list: [Int] kind: Kind part: Part wrong: Int } type Part { label: String } enum Kind { A B }`,
      sabotage: () => ({
        kind: 'answer',
        status: 200,
        body: {
          data: {
            _entities: [
              {
                __typename: 'Item',
                shape: { a: 1 },
                list: { length: 1 },
                kind: 'C',
                part: 'text',
                wrong: 'not a number',
                surplus: 1,
              },
              { __typename: 'Item', shape: [1], list: 'text', kind: 5, part: [[]], wrong: 5, surplus: {} },
            ],
          },
        },
      }),
    },
  },
  operations: [
    { name: 'nothing asked of them', query: '{ sure { id name } }' },
    { name: 'an error status with a GraphQL body', query: '{ sure { name http } }', errors: 'prefix' },
    { name: 'an error status at the root', query: '{ down sure { name } }', errors: 'prefix' },
    { name: 'no answer', query: '{ sure { id net } }', errors: 'prefix' },
    { name: 'no answer at the root', query: '{ away { net } item(id: "1") { name } }', errors: 'prefix' },
    {
      name: 'no answer for a non-null field',
      query: '{ item(id: "2") { name must } sure { id } }',
      errors: 'prefix',
    },
    { name: 'no answer under aliases', query: '{ all: sure { key: id value: net } }', errors: 'prefix' },
    { name: 'fewer entities than asked for', query: '{ sure { name short } }', errors: 'prefix' },
    { name: 'values of the wrong shape', query: '{ sure { id shape } }', errors: 'prefix' },
    {
      name: 'a list, an enum and an object that are none',
      query: '{ sure { list kind part { label } } }',
      errors: 'prefix',
    },
    { name: 'one wrong value beside right ones', query: '{ sure { wrong name } }', errors: 'prefix' },
  ],
}

function fail(): never {
  throw new Error('not available')
}
