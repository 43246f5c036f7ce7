import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Requirements on an interface of entities, of which the computing subgraph knows some types and one is
 * inaccessible.
 */
export const requiresInterfaces: Suite = {
  name: 'requirements on an interface of entities',
  monolith: `
    type Query { user: User other: User users: [User] }
    type User { id: ID! name: String! address: Address addresses: [[Address]] city: String country: String count: Int! }
    interface Address { id: ID! }
    type Home implements Address { id: ID! city: String street: Street }
    type Work implements Address { id: ID! city: String floor: Int! }
    type Street { name: String }
  `,
  tables: () => ({
    User: [
      { __typename: 'User', id: 'u1', name: 'Uma', address: 'h1', addresses: [['h1', 'w1'], null] },
      { __typename: 'User', id: 'u2', name: 'Bo', address: 'w1', addresses: [[null, 'w2']] },
      { __typename: 'User', id: 'u3', name: 'Ed', address: null, addresses: null },
    ],
    Home: [
      { __typename: 'Home', id: 'h1', city: 'Bergen', street: { __typename: 'Street', name: 'Nygård' } },
    ],
    Work: [
      { __typename: 'Work', id: 'w1', city: 'Oslo', floor: 2 },
      { __typename: 'Work', id: 'w2', city: null, floor: new Error('no floor') },
    ],
  }),
  fields: {
    'Query.user': (_row, _args, tables) => tables['User']?.[0],
    'Query.other': (_row, _args, tables) => tables['User']?.[1],
    'Query.users': (_row, _args, tables) => [tables['User']?.[2], null, ...(tables['User'] ?? [])],
    'User.address': (row, _args, tables) => address(row['address'], tables),
    'User.addresses': (row, _args, tables) =>
      (row['addresses'] as null | (unknown[] | null)[])?.map(
        (list) => list?.map((id) => address(id, tables)) ?? null,
      ),
  },
  computed: {
    'User.city': {
      compute: (inputs) => (inputs['address'] as null | { city: string })?.city ?? 'nowhere',
      inputs: addressInputs,
    },
    'User.country': {
      compute: (inputs) => {
        const place = inputs['address'] as null | {
          __typename: string
          id: string
          street: null | { name: string }
          floor: number
        }
        if (place === null) return 'stateless'
        return place.__typename === 'Home'
          ? `home ${place.id} ${String(place.street?.name)}`
          : `work ${place.floor}`
      },
      inputs: addressInputs,
    },
    'User.count': {
      compute: (inputs) => {
        const lists = inputs['addresses'] as null | (null | (null | { id: string })[])[]
        if (lists === null) throw new Error('no count')
        return lists.flat().filter((item) => item !== null && item.id !== '').length
      },
      inputs: (row) => ({
        addresses:
          (row['addresses'] as null | (null | unknown[])[])?.map(
            (list) => list?.map((id) => (id === null ? null : { id })) ?? null,
          ) ?? null,
      }),
    },
  },
  subgraphs: {
    users: {
      sdl: `${FED2}
        type Query { user: User }
        type User @key(fields: "id") {
          id: ID! name: String!
          address: Address @external
          addresses: [[Address]] @external
          city: String @requires(fields: "address { ... on Home { city } ... on Work { city } }")
          country: String @requires(fields: "address { id ... on Home { street { name } } ... on Work { floor } }")
          count: Int! @requires(fields: "addresses { id }")
        }
        interface Address { id: ID! }
        type Home implements Address @key(fields: "id") { id: ID! city: String @external street: Street @external }
        type Work implements Address @key(fields: "id") { id: ID! city: String @external floor: Int! @external }
        type Street @external { name: String }`,
    },
    addresses: {
      sdl: `${FED2}
        type Query { other: User users: [User] }
        type User @key(fields: "id") { id: ID! address: Address addresses: [[Address]] }
        interface Address { id: ID! }
        type Home implements Address @key(fields: "id") { id: ID! city: String }
        type Work implements Address @key(fields: "id") { id: ID! city: String floor: Int! }
        type Secret implements Address @inaccessible @key(fields: "id") { id: ID! code: String }`,
    },
    streets: {
      sdl: `${FED2} type Home @key(fields: "id") { id: ID! street: Street } type Street { name: String }`,
    },
  },
  operations: [
    { name: 'fields of each type', query: '{ user { city } other { city } }' },
    { name: 'inputs of one type that are two hops away', query: '{ user { country } other { country } }' },
    { name: 'a null input', query: '{ users { id city country } }' },
    { name: 'lists of lists', query: '{ user { count addresses { id __typename } } }' },
    {
      name: 'the client selects the same object otherwise',
      query: '{ other { address { ... on Work { floor } ... on Home { street { name } } } city name } }',
    },
    {
      name: 'aliases',
      query:
        '{ other { address { id: __typename ... on Work { city: id id2: city } } country city: country town: city } }',
    },
    {
      name: 'fragments',
      query:
        '{ users { ...U } } fragment U on User { ... on User { city } address { ...A } } fragment A on Address { ... on Home { street { name } } id }',
    },
    {
      name: 'conditions',
      query:
        'query ($c: Boolean!) { other { name city @include(if: $c) country @skip(if: $c) address @include(if: $c) { id } } }',
      variables: { c: true },
    },
    { name: 'a requirement that fails, non-null', query: '{ users { id count } }', errors: 'exact' },
    {
      name: 'an input beside a failing non-null field of the client',
      query: '{ other { addresses { ... on Work { floor } } count } }',
      errors: 'exact',
    },
    {
      name: 'an error below the input',
      query: '{ other { city addresses { id ... on Work { floor } } } }',
      errors: 'exact',
    },
  ],
}

function address(id: unknown, tables: Parameters<NonNullable<Suite['fields']>[string]>[2]) {
  return find(tables['Home'], 'id', id) ?? find(tables['Work'], 'id', id)
}

function addressInputs(
  row: Readonly<Record<string, unknown>>,
  tables: Parameters<NonNullable<Suite['fields']>[string]>[2],
) {
  return { address: address(row['address'], tables) }
}
