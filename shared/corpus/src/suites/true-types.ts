import { FED2, find, type Suite } from '../harness/suite.ts'

/** Type names everywhere: under unions, interfaces, interface objects, aliases, and alone. */
export const trueTypes: Suite = {
  name: 'true types',
  monolith: `
    type Query { found: [Thing] first: Thing users: [User!]! logs: [Log!] me: User }
    union Thing = Oven | Toaster
    type Oven { id: ID! watts: Int! }
    type Toaster { id: ID! watts: Int }
    interface User { id: ID! name: String friend: User }
    type Admin implements User { id: ID! name: String friend: User rights: [String!]! }
    type Guest implements User { id: ID! name: String friend: User }
    type Log { by: User at: Int }
  `,
  tables: () => ({
    Oven: [
      { __typename: 'Oven', id: 'o1', watts: 2000 },
      { __typename: 'Oven', id: 'o2', watts: new Error('no watts') },
    ],
    Toaster: [{ __typename: 'Toaster', id: 't1', watts: null }],
    Admin: [
      { __typename: 'Admin', id: 'a1', name: 'Ann', friend: 'g1', rights: ['all'] },
      {
        __typename: 'Admin',
        id: 'a2',
        name: new Error('no name'),
        friend: null,
        rights: new Error('no rights'),
      },
    ],
    Guest: [{ __typename: 'Guest', id: 'g1', name: null, friend: 'a1' }],
  }),
  fields: {
    'Query.found': (_row, _args, tables) => [tables['Toaster']?.[0], null, tables['Oven']?.[0]],
    'Query.first': (_row, _args, tables) => tables['Oven']?.[0],
    'Query.users': (_row, _args, tables) => [tables['Admin']?.[0], tables['Guest']?.[0]],
    'Query.me': (_row, _args, tables) => tables['Admin']?.[0],
    'Query.logs': (_row, _args, tables) => [
      { __typename: 'Log', by: tables['Guest']?.[0], at: 1 },
      { __typename: 'Log', by: null, at: 2 },
      { __typename: 'Log', by: tables['Admin']?.[1], at: 3 },
    ],
    'User.friend': (row, _args, tables) =>
      find(tables['Admin'], 'id', row['friend']) ?? find(tables['Guest'], 'id', row['friend']),
    'Admin.friend': (row, _args, tables) => find(tables['Guest'], 'id', row['friend']),
    'Guest.friend': (row, _args, tables) => find(tables['Admin'], 'id', row['friend']),
  },
  subgraphs: {
    things: {
      sdl: `${FED2}
        type Query { found: [Thing] first: Thing }
        union Thing = Oven | Toaster
        type Oven @key(fields: "id") { id: ID! }
        type Toaster @key(fields: "id") { id: ID! }`,
    },
    watts: {
      sdl: `${FED2} type Oven @key(fields: "id") { id: ID! watts: Int! } type Toaster @key(fields: "id") { id: ID! watts: Int }`,
    },
    users: {
      sdl: `${FED2}
        type Query { users: [User!]! me: User }
        interface User @key(fields: "id") { id: ID! name: String }
        type Admin implements User @key(fields: "id") { id: ID! name: String rights: [String!]! }
        type Guest implements User @key(fields: "id") { id: ID! name: String }`,
    },
    social: {
      sdl: `${FED2}
        type Query { logs: [Log!] }
        type Log { by: User at: Int }
        type User @interfaceObject @key(fields: "id") { id: ID! friend: User }`,
    },
  },
  operations: [
    { name: 'of a union', query: '{ found { __typename } first { __typename } }' },
    { name: 'of the root', query: '{ __typename }' },
    {
      name: 'of an interface and, through an interface object, of the next one',
      query: '{ users { __typename friend { __typename friend { __typename } } } }',
    },
    { name: 'of an interface object at a root', query: '{ logs { __typename by { __typename id } } }' },
    {
      name: 'aliases everywhere',
      query:
        '{ root: __typename found { a: __typename ... on Oven { b: __typename id: watts } } me { id: __typename t: friend { friend: __typename } } }',
    },
    {
      name: 'in fragments only',
      query:
        '{ first { ... on Oven { __typename } } logs { by { ... on Guest { __typename } ...A } } } fragment A on Admin { t: __typename }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean!) { __typename @skip(if: $t) logs { at by { id __typename @include(if: $t) } } me { __typename @include(if: $t) name } }',
      variables: { t: false },
    },
    {
      name: 'one condition makes the object empty',
      query:
        'query ($t: Boolean!) { first { __typename @include(if: $t) } me { friend { __typename @skip(if: $t) } } }',
      variables: { t: false },
    },
    { name: 'beside an error', query: '{ logs { by { __typename name } } }', errors: 'exact' },
    {
      name: 'beside an error of one type',
      query: '{ logs { at by { __typename ... on Admin { rights } } } }',
      errors: 'exact',
    },
    {
      name: 'alone, beside a failing non-null field of another place',
      query: '{ logs { by { __typename friend { ... on Admin { rights } } } } }',
    },
    {
      name: 'beside entity fields of one member',
      query:
        '{ found { __typename ... on Toaster { watts __typename } } first { ... on Oven { watts t: __typename } } }',
    },
  ],
}
