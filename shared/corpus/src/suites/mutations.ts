import { FED2, find, type Row, type Suite, type Tables } from '../harness/suite.ts'

/**
 * Root fields of a mutation run one after the other, whole: what the next one does must see what the last one
 * did.
 */
export const mutations: Suite = {
  name: 'mutations',
  monolith: `
    type Query { account(id: ID!): Account }
    type Mutation {
      deposit(id: ID!, amount: Int!): Account
      withdraw(id: ID!, amount: Int!): Account!
      rename(id: ID!, name: String): Account
      close(id: ID!): Closure
      touch(id: ID!): Account
      explode: Int
      bump(by: Int = 1): Int!
    }
    type Account { id: ID! balance: Int name: String log: [String!] summary: String }
    type Closure { ok: Boolean! account: Account }
  `,
  tables: () => ({
    Account: [
      { __typename: 'Account', id: '1', balance: 100, name: 'one', log: [] },
      { __typename: 'Account', id: '2', balance: 0, name: 'two', log: [] },
    ],
    Counter: [{ __typename: 'Counter', value: 0 }],
  }),
  fields: {
    'Query.account': (_row, args, tables) => find(tables['Account'], 'id', args['id']),
    'Mutation.deposit': (_row, { id, amount }, tables) => {
      const row = account(tables, id)
      return row === null
        ? null
        : change(row, { balance: Number(row['balance']) + Number(amount) }, `+${String(amount)}`)
    },
    'Mutation.withdraw': (_row, { id, amount }, tables) => {
      const row = account(tables, id)
      if (row === null || Number(row['balance']) < Number(amount)) throw new Error('not enough')
      return change(row, { balance: Number(row['balance']) - Number(amount) }, `-${String(amount)}`)
    },
    'Mutation.rename': (_row, { id, name = null }, tables) => {
      const row = account(tables, id)
      return row === null ? null : change(row, { name }, `name ${String(name)}`)
    },
    'Mutation.close': (_row, { id }, tables) => {
      const row = account(tables, id)
      return {
        __typename: 'Closure',
        ok: row !== null,
        account: row === null ? null : change(row, { balance: 0 }, 'closed'),
      }
    },
    'Mutation.touch': (_row, { id }, tables) => {
      const row = account(tables, id)
      return row === null ? null : change(row, {}, 'touched')
    },
    'Mutation.explode': () => {
      throw new Error('boom')
    },
    'Mutation.bump': (_row, { by }, tables) => {
      const counter = tables['Counter']?.[0]
      if (counter === undefined) throw new Error('no counter')
      const value = Number(counter['value']) + Number(by)
      Object.assign(counter, { value })
      return value
    },
  },
  computed: {
    'Account.summary': { compute: ({ balance, name }) => `${String(name)}: ${String(balance)}` },
  },
  subgraphs: {
    bank: {
      sdl: `${FED2}
        type Query { account(id: ID!): Account }
        type Mutation {
          deposit(id: ID!, amount: Int!): Account
          withdraw(id: ID!, amount: Int!): Account!
          close(id: ID!): Closure
          bump(by: Int = 1): Int! @shareable
        }
        type Account @key(fields: "id") { id: ID! balance: Int }
        type Closure { ok: Boolean! account: Account }`,
    },
    names: {
      sdl: `${FED2}
        type Mutation { rename(id: ID!, name: String): Account explode: Int bump(by: Int = 1): Int! @shareable }
        type Account @key(fields: "id") { id: ID! name: String }`,
    },
    audit: {
      sdl: `${FED2}
        type Mutation { touch(id: ID!): Account }
        type Account @key(fields: "id") {
          id: ID! log: [String!]
          balance: Int @external name: String @external
          summary: String @requires(fields: "balance name")
        }`,
    },
  },
  operations: [
    { name: 'one field', query: 'mutation { deposit(id: "1", amount: 5) { balance } }' },
    {
      name: 'neighbours of one subgraph in order',
      query:
        'mutation { a: deposit(id: "1", amount: 5) { balance } b: withdraw(id: "1", amount: 105) { balance } c: deposit(id: "1", amount: 1) { balance } }',
    },
    {
      name: 'across subgraphs in order',
      query:
        'mutation { deposit(id: "2", amount: 7) { balance } rename(id: "2", name: "zwei") { name } touch(id: "2") { log } }',
    },
    {
      name: 'entity fields belong to the moment of their own field',
      query:
        'mutation { a: deposit(id: "1", amount: 1) { balance log } b: rename(id: "1", name: "uno") { name log } c: deposit(id: "1", amount: 2) { log name } }',
    },
    {
      name: 'requirements between two writes',
      query:
        'mutation { a: deposit(id: "1", amount: 1) { summary } b: deposit(id: "1", amount: 1) { summary } }',
    },
    {
      name: 'a shared field runs once each time it is asked',
      query: 'mutation { bump more: bump(by: 5) again: bump }',
    },
    {
      name: 'a failing nullable field does not stop the next',
      query: 'mutation { explode deposit(id: "1", amount: 5) { balance } }',
      errors: 'exact',
    },
    {
      name: 'a failing non-null field stops everything',
      query:
        'mutation { a: deposit(id: "1", amount: 5) { balance } b: withdraw(id: "2", amount: 5) { balance } c: rename(id: "1", name: "x") { name } }',
      errors: 'exact',
    },
    {
      name: 'an object around the entity',
      query:
        'mutation { close(id: "1") { ok account { balance name summary } } none: close(id: "9") { ok account { name } } }',
    },
    {
      name: 'a query beside mutations in one document',
      query: 'query Look { account(id: "1") { balance name } } mutation Write { touch(id: "1") { id } }',
      operationName: 'Look',
    },
    {
      name: 'a mutation chosen by name, with variables',
      query:
        'query Look { account(id: "1") { balance } } mutation Write($id: ID!, $n: String) { rename(id: $id, name: $n) { id name balance } }',
      operationName: 'Write',
      variables: { id: '2', n: null },
    },
    {
      name: 'each under a name that the router must replace',
      query:
        'mutation { _s0: bump __proto__: bump constructor: bump(by: 2) toString: bump valueOf: deposit(id: "1", amount: 5) { id } _s1: deposit(id: "1", amount: 5) { balance } }',
    },
    { name: 'the root type name', query: 'mutation { __typename bump kind: __typename }' },
    {
      name: 'fragments',
      query:
        'mutation { ...M deposit(id: "1", amount: 3) { ...A } } fragment M on Mutation { rename(id: "1", name: "n") { ... on Account { balance } } } fragment A on Account { name summary }',
    },
    {
      name: 'conditions: what is skipped is not done',
      query:
        'mutation ($no: Boolean!) { a: deposit(id: "1", amount: 3) @include(if: $no) { balance } b: touch(id: "1") @skip(if: $no) { log balance } ... @include(if: $no) { explode } c: deposit(id: "1", amount: 4) { balance log @include(if: $no) } }',
      variables: { no: false },
    },
    {
      name: 'an error below a mutation field leaves the next ones alone',
      query:
        'mutation { close(id: "9") { ok account { balance } } withdraw(id: "1", amount: 1) { balance name } explode bump }',
      errors: 'exact',
    },
  ],
}

function account(tables: Tables, id: unknown): Row | null {
  return find(tables['Account'], 'id', id)
}

/** Writes the row and returns what it was at that moment, as a database would. */
function change(row: Row, values: Readonly<Record<string, unknown>>, entry: string): Row {
  Object.assign(row, values, { log: [...(row['log'] as string[]), entry] })
  return { ...row }
}
