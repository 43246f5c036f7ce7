import { FED2, find, type Suite } from '../harness/suite.ts'

/** Fields that an interface object computes from what the types of the interface hold elsewhere. */
export const interfaceObjectRequires: Suite = {
  name: 'requirements of interface objects',
  monolith: `
    type Query { staff: [Worker!]! others: [Worker] boss: Manager search: [Found] }
    interface Worker { id: ID! name: String pay: Pay handle: String bonus(rate: Int! = 1): Int! badge: Badge }
    type Clerk implements Worker { id: ID! name: String pay: Pay handle: String bonus(rate: Int! = 1): Int! badge: Badge age: Int }
    type Manager implements Worker { id: ID! name: String pay: Pay handle: String bonus(rate: Int! = 1): Int! badge: Badge reports: [Worker] }
    type Pay { sum: Int unit: String }
    type Badge { text: String! }
    union Found = Clerk | Manager
  `,
  tables: () => ({
    Clerk: [
      { __typename: 'Clerk', id: 'c1', name: 'Per', pay: { __typename: 'Pay', sum: 3, unit: 'kr' }, age: 30 },
      { __typename: 'Clerk', id: 'c2', name: null, pay: null, age: new Error('no age') },
    ],
    Manager: [
      {
        __typename: 'Manager',
        id: 'm1',
        name: 'Ine',
        pay: { __typename: 'Pay', sum: 9, unit: null },
        reports: ['c1', 'c2'],
      },
    ],
  }),
  fields: {
    'Query.staff': (_row, _args, tables) => [...(tables['Clerk'] ?? []), ...(tables['Manager'] ?? [])],
    'Query.others': (_row, _args, tables) => [tables['Manager']?.[0], null, tables['Clerk']?.[0]],
    'Query.boss': (_row, _args, tables) => tables['Manager']?.[0],
    'Query.search': (_row, _args, tables) => [tables['Clerk']?.[0], tables['Manager']?.[0]],
    'Manager.reports': (row, _args, tables) =>
      (row['reports'] as unknown[]).map((id) => find(tables['Clerk'], 'id', id)),
  },
  computed: {
    'Worker.handle': { compute: ({ name }) => handleOf(name) },
    'Worker.bonus': {
      compute: (inputs, { rate }) => {
        const pay = inputs['pay'] as null | { sum: number }
        if (pay === null) throw new Error('no pay')
        return pay.sum * Number(rate)
      },
    },
    'Worker.badge': {
      compute: ({ handle }) => ({ __typename: 'Badge', text: `<${String(handle)}>` }),
      inputs: (row) => ({ handle: handleOf(row['name']) }),
    },
  },
  subgraphs: {
    people: {
      sdl: `${FED2}
        type Query { staff: [Worker!]! boss: Manager search: [Found] }
        interface Worker @key(fields: "id") { id: ID! name: String }
        type Clerk implements Worker @key(fields: "id") { id: ID! name: String age: Int }
        type Manager implements Worker @key(fields: "id") { id: ID! name: String reports: [Worker] }
        union Found = Clerk | Manager`,
    },
    payroll: {
      sdl: `${FED2}
        type Clerk @key(fields: "id") { id: ID! pay: Pay }
        type Manager @key(fields: "id") { id: ID! pay: Pay }
        interface Worker { id: ID! pay: Pay }
        type Pay @shareable { sum: Int unit: String }`
        .replace('type Clerk @', 'type Clerk implements Worker @')
        .replace('type Manager @', 'type Manager implements Worker @'),
    },
    handles: {
      sdl: `${FED2}
        type Query { others: [Worker] }
        type Worker @interfaceObject @key(fields: "id") {
          id: ID! name: String @external pay: Pay @external
          handle: String @requires(fields: "name")
          bonus(rate: Int! = 1): Int! @requires(fields: "pay { sum }")
        }
        type Pay @shareable { sum: Int }`,
    },
    badges: {
      sdl: `${FED2}
        type Worker @interfaceObject @key(fields: "id") { id: ID! handle: String @external badge: Badge @requires(fields: "handle") }
        type Badge { text: String! }`,
    },
  },
  operations: [
    { name: 'from the owner of the types', query: '{ staff { id handle } }' },
    { name: 'from the interface object itself', query: '{ others { id handle } }' },
    { name: 'the input as well', query: '{ others { name handle } staff { handle name } }' },
    { name: 'on a concrete type', query: '{ boss { handle bonus(rate: 2) reports { handle } } }' },
    {
      name: 'an interface object that requires what another computes',
      query: '{ staff { badge { text } } others { badge { text } } }',
    },
    {
      name: 'type conditions beside it',
      query: '{ others { handle ... on Clerk { age } ... on Manager { reports { name } } } }',
    },
    {
      name: 'members of a union',
      query:
        '{ search { ... on Clerk { handle } ... on Manager { bonus } ... on Worker { badge { text } } } }',
    },
    {
      name: 'aliases that exchange input and result',
      query: '{ others { name: handle handle: name pay: id b: bonus(rate: 3) c: bonus } }',
    },
    {
      name: 'conditions on the requirement',
      query:
        'query ($h: Boolean!) { others { id handle @include(if: $h) badge @skip(if: $h) { __typename } } }',
      variables: { h: true },
    },
    {
      name: 'variables in arguments of the requirement',
      query: 'query ($r: Int! = 7) { others { bonus(rate: $r) } }',
    },
    {
      name: 'an error in the requirement, non-null',
      query: '{ boss { reports { id bonus } } }',
      errors: 'exact',
    },
    {
      name: 'an error in a type behind it',
      query: '{ boss { reports { handle ... on Clerk { age } } } }',
      errors: 'exact',
    },
  ],
}

function handleOf(name: unknown): string {
  return `@${String(name)}`
}
