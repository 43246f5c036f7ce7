import { FED2, find, type Suite } from '../harness/suite.ts'

/** Mutations that return shared values, entities that need requirements, interfaces and interface objects. */
export const mutationValues: Suite = {
  name: 'what mutations return',
  monolith: `
    type Query { order(id: ID!): Order }
    type Mutation { place(sku: String!): Placed! cancel(id: ID!): Order ship(id: ID!): Parcel count: Tally ask(id: ID!): Question! }
    type Placed { ok: Boolean! order: Order note: String }
    type Order { id: ID! sku: String state: String fee: Int tracking: String total: Int! }
    interface Parcel { id: ID! weight: Int where: String }
    type Box implements Parcel { id: ID! weight: Int where: String lid: Boolean }
    type Tube implements Parcel { id: ID! weight: Int where: String diameter: Int! }
    type Tally { id: ID! orders: Int parcels: Int }
    type Question { text: String! answers: [String!] }
  `,
  tables: () => ({
    Order: [{ __typename: 'Order', id: '1', sku: 'a', state: 'open', tracking: 'T1' }],
    Box: [{ __typename: 'Box', id: '1', weight: 5, where: 'Oslo', lid: true }],
    Tube: [{ __typename: 'Tube', id: '2', weight: null, where: null, diameter: new Error('no diameter') }],
    Tally: [{ __typename: 'Tally', id: 't', orders: 1, parcels: 2 }],
  }),
  fields: {
    'Query.order': (_row, { id }, tables) => find(tables['Order'], 'id', id),
    'Mutation.place': (_row, { sku }, tables) => {
      if (sku === '') throw new Error('no sku')
      const order = {
        __typename: 'Order',
        id: String((tables['Order']?.length ?? 0) + 1),
        sku,
        state: 'open',
        tracking: null,
      }
      tables['Order']?.push(order)
      return { __typename: 'Placed', ok: true, order, note: null }
    },
    'Mutation.cancel': (_row, { id }, tables) => {
      const order = find(tables['Order'], 'id', id)
      if (order !== null) Object.assign(order, { state: 'cancelled' })
      return order
    },
    'Mutation.ship': (_row, { id }, tables) =>
      find(tables['Box'], 'id', id) ?? find(tables['Tube'], 'id', id),
    'Mutation.count': (_row, _args, tables) => {
      const tally = tables['Tally']?.[0]
      if (tally !== undefined) Object.assign(tally, { orders: Number(tally['orders']) + 1 })
      return tally
    },
    'Mutation.ask': (_row, { id }) => ({ __typename: 'Question', text: `why ${String(id)}`, answers: null }),
  },
  computed: {
    'Order.fee': { compute: ({ sku, state }) => (state === 'cancelled' ? 9 : String(sku).length) },
    'Order.total': {
      compute: ({ sku }) => {
        if (sku === 'dear') throw new Error('too dear')
        return 100
      },
    },
  },
  subgraphs: {
    orders: {
      sdl: `${FED2}
        type Query { order(id: ID!): Order }
        type Mutation { place(sku: String!): Placed! cancel(id: ID!): Order count: Tally @shareable }
        type Placed { ok: Boolean! order: Order note: String }
        type Order @key(fields: "id") { id: ID! sku: String state: String }
        type Tally @key(fields: "id") { id: ID! orders: Int }`,
    },
    parcels: {
      sdl: `${FED2}
        type Mutation { ship(id: ID!): Parcel count: Tally @shareable }
        interface Parcel @key(fields: "id") { id: ID! weight: Int }
        type Box implements Parcel @key(fields: "id") { id: ID! weight: Int lid: Boolean }
        type Tube implements Parcel @key(fields: "id") { id: ID! weight: Int diameter: Int! }
        type Tally @key(fields: "id") { id: ID! parcels: Int }
        type Order @key(fields: "id") { id: ID! tracking: String }`,
    },
    fees: {
      sdl: `${FED2}
        type Mutation { ask(id: ID!): Question! }
        type Question { text: String! answers: [String!] }
        type Order @key(fields: "id") { id: ID! sku: String @external state: String @external fee: Int @requires(fields: "sku state") total: Int! @requires(fields: "sku") }`,
    },
    places: { sdl: `${FED2} type Parcel @interfaceObject @key(fields: "id") { id: ID! where: String }` },
  },
  operations: [
    {
      name: 'a value around a new entity',
      query: 'mutation { place(sku: "abc") { ok order { id state } } }',
    },
    {
      name: 'a requirement of the new entity',
      query: 'mutation { place(sku: "abc") { order { fee tracking } } }',
    },
    {
      name: 'a shared field is called once, its rest fetched by key',
      query: 'mutation { count { orders parcels } }',
    },
    {
      name: 'an interface, completed by an interface object',
      query: 'mutation { ship(id: "1") { id where ... on Box { lid } } }',
    },
    {
      name: 'each field sees what the one before did',
      query:
        'mutation { place(sku: "x") { order { fee } } cancel(id: "2") { fee state } count { orders } again: count { orders parcels } }',
    },
    {
      name: 'a mutation and its query fields by name',
      query: 'query Q { order(id: "1") { fee } } mutation M { cancel(id: "1") { fee } }',
      operationName: 'M',
    },
    {
      name: 'fragments',
      query:
        'mutation { ...M } fragment M on Mutation { cancel(id: "1") { ...O } ship(id: "1") { ... on Parcel { where } } } fragment O on Order { fee tracking }',
    },
    {
      name: 'conditions',
      query:
        'mutation ($c: Boolean!) { cancel(id: "1") @skip(if: $c) { state } place(sku: "s") { order { id fee @include(if: $c) total @skip(if: $c) } } }',
      variables: { c: true },
    },
    {
      name: 'a non-null field that fails below',
      query: 'mutation { place(sku: "dear") { ok order { sku total } } ask(id: "1") { text answers } }',
      errors: 'exact',
    },
    {
      name: 'a non-null root that fails stops the rest',
      query: 'mutation { ask(id: "1") { text } place(sku: "") { ok } cancel(id: "1") { state } }',
      errors: 'exact',
    },
    {
      name: 'a non-null field of one type',
      query:
        'mutation { ship(id: "2") { where ... on Tube { diameter } } other: ship(id: "1") { weight where } }',
      errors: 'exact',
    },
    { name: 'nothing found', query: 'mutation { cancel(id: "77") { fee total } ship(id: "77") { where } }' },
  ],
}
