import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Requirements met by unusual ways: inputs that moved house, that are shared, that hide, or that sit below
 * other entities.
 */
export const requiresMoved: Suite = {
  name: 'requires by detours',
  monolith: `
    type Query { loans: [Loan!]! loan(no: ID!): Loan open: [Loan!] }
    type Loan { no: ID! amount: Int rate: Int borrower: Borrower interest: Int risk: String offer: String letter: String stamp: String! }
    type Borrower { id: ID! income: Int score: Int grade: String bank: Bank }
    type Bank { swift: String! country: String }
  `,
  tables: () => ({
    Loan: [
      {
        __typename: 'Loan',
        no: '1',
        ref: 'R1',
        amount: 1000,
        rate: 3,
        borrower: 'b1',
        secret: 1,
        stamp: 'ok',
      },
      {
        __typename: 'Loan',
        no: '2',
        ref: 'R2',
        amount: 2000,
        rate: 4,
        borrower: 'b2',
        secret: 2,
        stamp: new Error('no stamp'),
      },
      { __typename: 'Loan', no: '3', ref: 'R3', amount: null, rate: null, borrower: null, secret: null },
    ],
    Borrower: [
      { __typename: 'Borrower', id: 'b1', income: 50, score: 7, bank: 'NO' },
      { __typename: 'Borrower', id: 'b2', income: null, score: 3, bank: null },
    ],
    Bank: [{ __typename: 'Bank', swift: 'NO', country: 'Norway' }],
  }),
  fields: {
    'Query.loans': (_row, _args, tables) => tables['Loan'],
    'Query.loan': (_row, args, tables) => find(tables['Loan'], 'no', args['no']),
    'Query.open': (_row, _args, tables) => tables['Loan']?.toReversed(),
    'Loan.borrower': (row, _args, tables) => find(tables['Borrower'], 'id', row['borrower']),
    'Borrower.bank': (row, _args, tables) => find(tables['Bank'], 'swift', row['bank']),
  },
  computed: {
    'Loan.interest': {
      compute: ({ amount, rate }) =>
        amount === null || rate === null ? null : Number(amount) * Number(rate),
    },
    'Loan.risk': {
      compute: (inputs) => {
        const borrower = inputs['borrower'] as null | {
          income: number | null
          score: number
          bank: null | { country: string }
        }
        return borrower === null
          ? 'unknown'
          : `${borrower.income}/${borrower.score}/${borrower.bank === null ? '-' : borrower.bank.country}`
      },
      inputs: (row, tables) => {
        const borrower = find(tables['Borrower'], 'id', row['borrower'])
        return {
          borrower:
            borrower === null ? null : { ...borrower, bank: find(tables['Bank'], 'swift', borrower['bank']) },
        }
      },
    },
    'Loan.offer': { compute: ({ secret }) => `offer ${String(secret)}` },
    'Loan.letter': {
      compute: ({ interest }) => `pay ${String(interest)}`,
      inputs: ({ amount, rate }) => ({
        interest: amount === null || rate === null ? null : Number(amount) * Number(rate),
      }),
    },
    'Borrower.grade': { compute: ({ score }) => (Number(score) > 5 ? 'A' : 'B') },
  },
  subgraphs: {
    core: {
      sdl: `${FED2}
        type Query { loans: [Loan!]! loan(no: ID!): Loan }
        type Loan @key(fields: "no") @key(fields: "ref") { no: ID! ref: ID! @inaccessible amount: Int rate: Int borrower: Borrower }
        type Borrower @key(fields: "id") { id: ID! income: Int @shareable }`,
    },
    rates: {
      sdl: `${FED2}
        type Query { open: [Loan!] }
        type Loan @key(fields: "no") { no: ID! rate: Int @override(from: "core") }`,
    },
    scores: {
      sdl: `${FED2}
        type Borrower @key(fields: "id") { id: ID! income: Int @shareable score: Int grade: String bank: Bank }
        type Bank @key(fields: "swift", resolvable: false) { swift: String! }`,
      fields: { 'Borrower.grade': (row) => (Number(row['score']) > 5 ? 'A' : 'B') },
    },
    banks: { sdl: `${FED2} type Bank @key(fields: "swift") { swift: String! country: String }` },
    desk: {
      sdl: `${FED2}
        type Loan @key(fields: "ref") {
          ref: ID!
          amount: Int @external rate: Int @external borrower: Borrower @external secret: Int @external
          interest: Int @requires(fields: "amount rate")
          risk: String @requires(fields: "borrower { income score bank { country } }")
          offer: String @requires(fields: "secret")
        }
        type Borrower @key(fields: "id", resolvable: false) { id: ID! income: Int @external score: Int @external bank: Bank @external }
        type Bank @key(fields: "swift", resolvable: false) { swift: String! country: String @external }`,
    },
    vault: { sdl: `${FED2} type Loan @key(fields: "no") { no: ID! secret: Int @inaccessible }` },
    mail: {
      sdl: `${FED2} type Loan @key(fields: "no") { no: ID! stamp: String! interest: Int @external letter: String @requires(fields: "interest") }`,
    },
  },
  operations: [
    { name: 'an input that moved to another subgraph', query: '{ loans { interest } }' },
    { name: 'inputs below an entity, two hops away', query: '{ loans { risk } }' },
    {
      name: 'the same with the entity selected by the client',
      query: '{ loans { borrower { income grade bank { swift } } risk } }',
    },
    { name: 'an inaccessible key and an inaccessible input', query: '{ loan(no: "2") { offer } }' },
    { name: 'a requirement of a requirement, each by another key', query: '{ loans { letter } }' },
    { name: 'from a root that has nothing but the key', query: '{ open { letter risk } }' },
    {
      name: 'everything at once',
      query:
        '{ loan(no: "1") { letter offer risk interest rate amount borrower { score grade bank { country } } } }',
    },
    { name: 'where everything is null', query: '{ loan(no: "3") { letter offer risk interest } }' },
    { name: 'aliases', query: '{ open { rate: interest interest: rate amount: letter no: risk } }' },
    {
      name: 'fragments',
      query:
        '{ loan(no: "1") { ...L borrower { ... on Borrower { score } } } } fragment L on Loan { interest ... { risk borrower { grade } } }',
    },
    {
      name: 'conditions',
      query: 'query ($l: Boolean!) { loans { no letter @include(if: $l) rate offer @skip(if: $l) } }',
      variables: { l: false },
    },
    {
      name: 'a non-null error beside requirements',
      query: '{ loan(no: "2") { letter stamp } one: loan(no: "1") { stamp risk } }',
      errors: 'exact',
    },
  ],
}
