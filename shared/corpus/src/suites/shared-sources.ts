import { FED2, find, type Suite } from '../harness/suite.ts'

/** Roots and fields of entities that three subgraphs share, each with parts of what is below them. */
export const sharedSources: Suite = {
  name: 'shared fields asked of several subgraphs at once',
  monolith: `
    type Query { house(id: ID!): House houses: [House!]! street: Street }
    type Mutation { paint(id: ID!): House }
    type House { id: ID! colour: String rooms: [Room!] owner: Owner rent: Int }
    type Room { id: ID! name: String size: Int lamps: [[Lamp!]!] }
    type Lamp { watt: Int on: Boolean }
    type Owner { id: ID! nick: String mail: String! house: House }
    type Street { id: ID! first: House }
  `,
  tables: () => ({
    House: [
      { __typename: 'House', id: 'h1', colour: 'red', rooms: ['r1', 'r2'], owner: 'o1', rent: 9 },
      { __typename: 'House', id: 'h2', colour: null, rooms: [], owner: 'o2', rent: 7 },
      { __typename: 'House', id: 'h3', colour: 'blue', rooms: null, owner: null, rent: null },
    ],
    Room: [
      {
        __typename: 'Room',
        id: 'r1',
        name: 'hall',
        size: 12,
        lamps: [[{ __typename: 'Lamp', watt: 5, on: true }], []],
      },
      { __typename: 'Room', id: 'r2', name: null, size: 3, lamps: null },
    ],
    Owner: [
      { __typename: 'Owner', id: 'o1', nick: 'ann', mail: 'ann@x.test', house: 'h1' },
      { __typename: 'Owner', id: 'o2', nick: 'ben', mail: new Error('no mail'), house: 'h3' },
    ],
    Street: [{ __typename: 'Street', id: 's1', first: 'h1' }],
  }),
  fields: {
    'Query.house': (_row, { id }, tables) => find(tables['House'], 'id', id),
    'Query.houses': (_row, _args, tables) => tables['House'],
    'Query.street': (_row, _args, tables) => tables['Street']?.[0],
    'Mutation.paint': (_row, { id }, tables) => find(tables['House'], 'id', id),
    'House.rooms': (row, _args, tables) =>
      (row['rooms'] as unknown[] | null)?.map((id) => find(tables['Room'], 'id', id)) ?? null,
    'House.owner': (row, _args, tables) => find(tables['Owner'], 'id', row['owner']),
    'Owner.house': (row, _args, tables) => find(tables['House'], 'id', row['house']),
    'Street.first': (row, _args, tables) => find(tables['House'], 'id', row['first']),
  },
  subgraphs: {
    walls: {
      sdl: `${FED2}
        type Query { house(id: ID!): House @shareable houses: [House!]! @shareable street: Street }
        type Mutation { paint(id: ID!): House @shareable }
        type House @key(fields: "id") { id: ID! colour: String rooms: [Room!] @shareable owner: Owner @shareable }
        type Room @key(fields: "id") { id: ID! name: String lamps: [[Lamp!]!] @shareable }
        type Lamp @shareable { watt: Int }
        type Owner @key(fields: "id") { id: ID! }
        type Street @key(fields: "id") { id: ID! }`,
    },
    people: {
      sdl: `${FED2}
        type Query { house(id: ID!): House @shareable houses: [House!]! @shareable }
        type Mutation { paint(id: ID!): House @shareable }
        type House @key(fields: "id") { id: ID! rooms: [Room!] @shareable owner: Owner @shareable }
        type Room @key(fields: "id") { id: ID! size: Int lamps: [[Lamp!]!] @shareable }
        type Lamp @shareable { on: Boolean }
        type Owner @key(fields: "id") { id: ID! nick: String house: House @shareable }
        type Street @key(fields: "id") { id: ID! first: House @shareable }`,
    },
    money: {
      sdl: `${FED2}
        type Query { houses: [House!]! @shareable }
        type House @key(fields: "id") { id: ID! rent: Int }
        type Owner @key(fields: "id") { id: ID! mail: String! house: House @shareable }
        type Street @key(fields: "id") { id: ID! first: House @shareable }`,
    },
  },
  operations: [
    { name: 'parts of two', query: '{ house(id: "h1") { colour owner { nick } } }' },
    { name: 'parts of three, in a list', query: '{ houses { colour rent owner { nick } } }' },
    {
      name: 'lists in lists',
      query: '{ houses { rooms { name size lamps { watt on } } } }',
    },
    { name: 'a part that no root has', query: '{ house(id: "h1") { colour rent owner { nick id } } }' },
    { name: 'below an entity', query: '{ street { first { rent owner { nick } } } }' },
    { name: 'nothing there', query: '{ house(id: "none") { colour owner { nick } } }' },
    {
      name: 'aliases and fragments',
      query:
        '{ a: house(id: "h1") { ...H } b: house(id: "h2") { ...H id } } fragment H on House { colour owner { nick } rooms { size name } }',
    },
    {
      name: 'conditions',
      query: 'query ($c: Boolean!) { houses { colour @include(if: $c) rent owner { nick @skip(if: $c) } } }',
      variables: { c: true },
    },
    {
      name: 'a mutation, which is made once',
      query: 'mutation { paint(id: "h1") { colour owner { nick } } }',
    },
    {
      name: 'errors in parts',
      query: '{ houses { colour rent owner { nick mail } } }',
      errors: 'exact',
    },
  ],
}
