import { FED2, find, type Suite } from '../harness/suite.ts'

/** `extend type` of Federation 2 with an external key, provided fields, and a root of the extension's own. */
export const extendType: Suite = {
  name: 'extend type with an external key',
  monolith: `
    type Query { owner: Owner owners: [Owner!]! shops: [Shop] best: Shop }
    type Owner { id: ID! name: String! since: Int shops: [Shop!] }
    type Shop { id: ID! title: String owner: Owner rent: Int! }
  `,
  tables: () => ({
    Owner: [
      { __typename: 'Owner', id: 'o1', name: 'Ola', since: 1999 },
      { __typename: 'Owner', id: 'o2', name: new Error('no name'), since: null },
    ],
    Shop: [
      { __typename: 'Shop', id: 's1', title: 'Books', owner: 'o1', rent: 5 },
      { __typename: 'Shop', id: 's2', title: null, owner: 'o2', rent: new Error('no rent') },
    ],
  }),
  fields: {
    'Query.owner': (_row, _args, tables) => tables['Owner']?.[0],
    'Query.owners': (_row, _args, tables) => tables['Owner'],
    'Query.shops': (_row, _args, tables) => [tables['Shop']?.[0], null, tables['Shop']?.[1]],
    'Query.best': (_row, _args, tables) => tables['Shop']?.[0],
    'Owner.shops': (row, _args, tables) => tables['Shop']?.filter(({ owner }) => owner === row['id']),
    'Shop.owner': (row, _args, tables) => find(tables['Owner'], 'id', row['owner']),
  },
  subgraphs: {
    people: {
      sdl: `${FED2} type Query { owners: [Owner!]! } type Owner @key(fields: "id") { id: ID! name: String! since: Int }`,
    },
    trade: {
      sdl: `${FED2}
        type Query { owner: Owner @provides(fields: "name") shops: [Shop] best: Shop }
        extend type Owner @key(fields: "id") { id: ID! @external name: String! @external shops: [Shop!] }
        type Shop @key(fields: "id") { id: ID! title: String owner: Owner }`,
    },
    rents: { sdl: `${FED2} extend type Shop @key(fields: "id") { id: ID! @external rent: Int! }` },
  },
  operations: [
    { name: 'the external key', query: '{ best { owner { id } } }' },
    { name: 'a provided field', query: '{ owner { id name } }' },
    { name: 'the same field where it is not provided', query: '{ best { owner { name } } }' },
    { name: 'provided and not provided in one object', query: '{ owner { name since shops { rent } } }' },
    { name: 'aliases', query: '{ owner { name: id id: name a: shops { t: title } b: shops { t: id } } }' },
    {
      name: 'fragments',
      query: '{ best { ...S } } fragment S on Shop { ... on Shop { rent } owner { ... on Owner { since } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($x: Boolean!) { owner { id name @include(if: $x) since @skip(if: $x) } best { rent @skip(if: $x) } }',
      variables: { x: true },
    },
    { name: 'a list with null', query: '{ shops { title owner { since } } }' },
    { name: 'an error of the owner', query: '{ owners { id name } }', errors: 'exact' },
    { name: 'a non-null error of one extension', query: '{ shops { id rent } }', errors: 'exact' },
    { name: 'a non-null error behind another', query: '{ shops { id owner { id name } } }', errors: 'exact' },
  ],
}
