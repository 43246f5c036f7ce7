import { FED2, find, findAll, type Suite } from '../harness/suite.ts'

/**
 * Objects of which nobody knows more than the interface: no subgraph implements it, or clients see none of
 * the types. What interface objects have of them can be asked for, and their types cannot.
 */
export const loneInterfaceObjects: Suite = {
  name: 'interface objects without implementations',
  monolith: `
    type Query { badge(id: ID!): Badge badges: [Badge!]! never: Badge wall: Wall relics: [[Relic]] strict: [Badge!] }
    interface Badge { id: ID! label: String points: Int! grade: String wall: Wall }
    interface Relic { id: ID! year: Int broken: Boolean! }
    type Wall { id: ID! name: String! badges: [Badge] }
  `,
  whole: `
    directive @inaccessible on OBJECT
    type Query { badge(id: ID!): Badge badges: [Badge!]! never: Badge wall: Wall relics: [[Relic]] strict: [Badge!] }
    interface Badge { id: ID! label: String points: Int! grade: String wall: Wall }
    interface Relic { id: ID! year: Int broken: Boolean! }
    type Vase implements Relic @inaccessible { id: ID! year: Int broken: Boolean! }
    type Wall { id: ID! name: String! badges: [Badge] }
  `,
  tables: () => ({
    Badge: [
      { __typename: 'Badge', id: 'b1', label: 'Gold', points: 3, wall: 'w1' },
      { __typename: 'Badge', id: 'b2', label: null, points: 0, wall: null },
      { __typename: 'Badge', id: 'b3', label: 'Tin', points: new Error('no points'), wall: 'w1' },
    ],
    Vase: [
      { __typename: 'Vase', id: 'v1', year: -300, broken: true },
      { __typename: 'Vase', id: 'v2', year: null, broken: new Error('who knows') },
    ],
    Wall: [{ __typename: 'Wall', id: 'w1', name: 'Hall', badges: ['b2', 'none', 'b1'] }],
  }),
  fields: {
    'Query.badge': (_row, { id }, tables) => find(tables['Badge'], 'id', id),
    'Query.badges': (_row, _args, tables) => tables['Badge']?.slice(0, 2),
    'Query.strict': (_row, _args, tables) => tables['Badge'],
    'Query.never': () => null,
    'Query.wall': (_row, _args, tables) => tables['Wall']?.[0],
    'Query.relics': (_row, _args, tables) => [[tables['Vase']?.[0], null], null, [tables['Vase']?.[1]]],
    'Badge.wall': (row, _args, tables) => find(tables['Wall'], 'id', row['wall']),
    'Wall.badges': (row, _args, tables) => findAll(tables['Badge'], 'id', row['badges']),
  },
  computed: { 'Badge.grade': { compute: ({ label }) => `grade of ${String(label)}` } },
  subgraphs: {
    catalogue: {
      sdl: `${FED2}
        type Query { never: Badge }
        interface Badge @key(fields: "id") { id: ID! }
        interface Relic @key(fields: "id") { id: ID! }
        type Vase implements Relic @key(fields: "id") @inaccessible { id: ID! }
        type Wall @key(fields: "id") { id: ID! name: String! }`,
    },
    awards: {
      sdl: `${FED2}
        type Query { badge(id: ID!): Badge badges: [Badge!]! wall: Wall strict: [Badge!] }
        type Badge @key(fields: "id", resolvable: false) @interfaceObject { id: ID! label: String wall: Wall }
        type Wall @key(fields: "id") { id: ID! badges: [Badge] }`,
    },
    scores: {
      sdl: `${FED2}
        type Query { relics: [[Relic]] }
        type Badge @key(fields: "id") @interfaceObject {
          id: ID! points: Int! label: String @external grade: String @requires(fields: "label")
        }
        type Relic @key(fields: "id") @interfaceObject { id: ID! year: Int broken: Boolean! }`,
    },
  },
  operations: [
    { name: 'what the interface object itself has', query: '{ badge(id: "b1") { id label } }' },
    { name: 'a field of another interface object', query: '{ badges { id label points } }' },
    { name: 'what that one requires of the first', query: '{ badges { grade } badge(id: "b2") { grade } }' },
    {
      name: 'there and back through an entity',
      query: '{ badge(id: "b1") { wall { name badges { id points wall { id } } } } }',
    },
    {
      name: 'fragments on the interface',
      query:
        '{ badges { ...B ... on Badge { points } ... { id } } } fragment B on Badge { label wall { ... on Wall { name } } }',
    },
    {
      name: 'aliases',
      query: '{ b: badge(id: "b1") { label: id id: label p: points g: grade } c: badge(id: "b0") { id } }',
    },
    {
      name: 'conditions',
      query:
        'query ($more: Boolean!) { badges { id points @include(if: $more) ... on Badge @skip(if: $more) { grade } } }',
      variables: { more: false },
    },
    {
      name: 'a type that is not asked for after all',
      query: 'query ($t: Boolean = false) { badge(id: "b2") { id __typename @include(if: $t) } }',
    },
    { name: 'where the interface is a real one, and has no objects', query: '{ never { id label points } }' },
    {
      name: 'an interface whose types are all hidden, in lists of lists',
      query: '{ relics { id year ... on Relic { y: year } } }',
    },
    {
      name: 'an error of a non-null field of a hidden type',
      query: '{ relics { year broken } }',
      errors: 'exact',
    },
    {
      name: 'an error of a non-null field',
      query: '{ strict { id points } badges { label } }',
      errors: 'exact',
    },
    { name: 'an error at one object', query: '{ badge(id: "b3") { label points } }', errors: 'exact' },
  ],
}
