import { FED2, find, findAll, type Suite } from '../harness/suite.ts'

/** Provided fields below lists in lists, which are somebody else's everywhere but on this path. */
export const nestedProvides: Suite = {
  name: 'provided fields below lists',
  monolith: `
    type Query { plays: [Play] best: [[Play!]!] acts: [Act!]! }
    type Play { id: ID! title: String acts: [Act!]! groups: [[Act]] price: Float! }
    type Act { id: ID! name: String minutes: Int! roles: [Role!] parent: Act }
    type Role { id: ID! who: String voice: String }
  `,
  tables: () => ({
    Play: [
      { __typename: 'Play', id: 'p1', title: 'Peer', acts: ['a1', 'a2'], price: 10 },
      { __typename: 'Play', id: 'p2', title: null, acts: [], price: new Error('no price') },
    ],
    Act: [
      { __typename: 'Act', id: 'a1', name: 'one', minutes: 20, roles: ['r1', 'r2'], parent: null },
      { __typename: 'Act', id: 'a2', name: null, minutes: 30, roles: [], parent: 'a1' },
    ],
    Role: [
      { __typename: 'Role', id: 'r1', who: 'Peer', voice: 'tenor' },
      { __typename: 'Role', id: 'r2', who: null, voice: new Error('no voice') },
    ],
  }),
  fields: {
    'Query.plays': (_row, _args, tables) => [tables['Play']?.[0], null, tables['Play']?.[1]],
    'Query.best': (_row, _args, tables) => [[tables['Play']?.[0], tables['Play']?.[1]], []],
    'Query.acts': (_row, _args, tables) => tables['Act'],
    'Play.acts': (row, _args, tables) => findAll(tables['Act'], 'id', row['acts']),
    'Play.groups': (row, _args, tables) => [findAll(tables['Act'], 'id', row['acts']), null, [null]],
    'Act.roles': (row, _args, tables) => findAll(tables['Role'], 'id', row['roles']),
    'Act.parent': (row, _args, tables) => find(tables['Act'], 'id', row['parent']),
  },
  subgraphs: {
    stage: {
      sdl: `${FED2}
        type Query { plays: [Play] @provides(fields: "acts { id name roles { who } parent { name } }") best: [[Play!]!] @provides(fields: "groups { minutes roles { id voice } }") }
        type Play @key(fields: "id") { id: ID! title: String acts: [Act!]! @external groups: [[Act]] @external }
        type Act @key(fields: "id") { id: ID! name: String @external minutes: Int! @external roles: [Role!] @external parent: Act @external }
        type Role @key(fields: "id") { id: ID! who: String @external voice: String @external }`,
    },
    scripts: {
      sdl: `${FED2}
        type Query { acts: [Act!]! }
        type Play @key(fields: "id") { id: ID! acts: [Act!]! @shareable groups: [[Act]] @shareable price: Float! }
        type Act @key(fields: "id") { id: ID! name: String @shareable minutes: Int! @shareable roles: [Role!] @shareable parent: Act @shareable }
        type Role @key(fields: "id") { id: ID! who: String @shareable voice: String @shareable }`,
    },
  },
  operations: [
    { name: 'all of it is provided', query: '{ plays { title acts { id name roles { who } } } }' },
    { name: 'a field beside the provided ones', query: '{ plays { acts { name minutes } } }' },
    { name: 'provided in lists of lists', query: '{ best { id groups { minutes roles { id } } } }' },
    {
      name: 'provided here, not there',
      query: '{ best { groups { name minutes } acts { minutes } } plays { groups { id } } }',
    },
    {
      name: 'one step too deep',
      query: '{ plays { acts { parent { name parent { name } } roles { id } } } }',
    },
    { name: 'the owner needs nothing', query: '{ acts { name roles { who } } }' },
    {
      name: 'aliases',
      query:
        '{ a: plays { x: acts { id: name name: id } y: acts { m: minutes } } b: plays { acts { parent { id: name } } } }',
    },
    {
      name: 'fragments',
      query:
        '{ plays { ...P acts { ...A } } } fragment P on Play { acts { ... on Act { roles { who } } } } fragment A on Act { name }',
    },
    {
      name: 'conditions',
      query:
        'query ($m: Boolean!) { plays { acts { name minutes @include(if: $m) roles @skip(if: $m) { who } } } }',
      variables: { m: false },
    },
    {
      name: 'an error in a provided field',
      query: '{ best { groups { roles { id voice } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error beside the provided fields',
      query: '{ plays { id acts { name } price } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error through lists that may not hold null',
      query: '{ best { price } }',
      errors: 'exact',
    },
  ],
}
