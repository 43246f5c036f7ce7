import { FED2, find, type Suite } from '../harness/suite.ts'

/** Subgraphs that add fields to every type of an interface without knowing any of the types. */
export const interfaceObjects: Suite = {
  name: 'interface objects',
  monolith: `
    type Query { media: [Media!]! top: Media rentals: [Rental!]! film(id: ID!): Film reviewed: [Media] }
    interface Media { id: ID! title: String price: Int stars: Int verdict: String shelf: Shelf rank: Int! }
    type Film implements Media { id: ID! title: String price: Int stars: Int verdict: String shelf: Shelf rank: Int! minutes: Int dubbed: Boolean }
    type Album implements Media { id: ID! title: String price: Int stars: Int verdict: String shelf: Shelf rank: Int! tracks: Int! }
    type Rental { day: Int! item: Media }
    type Shelf { row: Int! label: String }
  `,
  tables: () => ({
    Film: [
      {
        __typename: 'Film',
        id: 'f1',
        title: 'Elling',
        price: 10,
        stars: 5,
        shelf: { __typename: 'Shelf', row: 1, label: 'A' },
        minutes: 89,
        dubbed: false,
        rank: 1,
      },
      {
        __typename: 'Film',
        id: 'f2',
        title: null,
        price: null,
        stars: 1,
        shelf: null,
        minutes: null,
        dubbed: true,
        rank: 2,
      },
    ],
    Album: [
      {
        __typename: 'Album',
        id: 'a1',
        title: 'Hunting',
        price: 20,
        stars: null,
        shelf: { __typename: 'Shelf', row: 2, label: null },
        tracks: 8,
        rank: new Error('no rank'),
      },
    ],
  }),
  fields: {
    'Query.media': (_row, _args, tables) => [tables['Film']?.[0], tables['Album']?.[0], tables['Film']?.[1]],
    'Query.top': (_row, _args, tables) => tables['Album']?.[0],
    'Query.rentals': (_row, _args, tables) => [
      { __typename: 'Rental', day: 1, item: tables['Album']?.[0] },
      { __typename: 'Rental', day: 2, item: null },
      { __typename: 'Rental', day: 3, item: tables['Film']?.[0] },
    ],
    'Query.film': (_row, args, tables) => find(tables['Film'], 'id', args['id']),
    'Query.reviewed': (_row, _args, tables) => [tables['Film']?.[1], tables['Album']?.[0], null],
  },
  computed: {
    'Media.verdict': {
      compute: ({ title, price }) => `${String(title)} for ${String(price)}`,
    },
  },
  subgraphs: {
    library: {
      sdl: `${FED2}
        type Query { media: [Media!]! top: Media film(id: ID!): Film }
        interface Media @key(fields: "id") { id: ID! title: String }
        type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
        type Album implements Media @key(fields: "id") { id: ID! title: String tracks: Int! }`,
    },
    rental: {
      sdl: `${FED2}
        type Query { rentals: [Rental!]! }
        type Rental { day: Int! item: Media }
        type Media @interfaceObject @key(fields: "id") { id: ID! price: Int }`,
    },
    reviews: {
      sdl: `${FED2}
        type Query { reviewed: [Media] }
        type Media @interfaceObject @key(fields: "id") {
          id: ID! stars: Int shelf: Shelf rank: Int!
          title: String @external price: Int @external
          verdict: String @requires(fields: "title price")
        }
        type Shelf { row: Int! label: String }`,
    },
    dubbing: { sdl: `${FED2} type Film @key(fields: "id") { id: ID! dubbed: Boolean }` },
  },
  operations: [
    {
      name: 'a requirement for one type only beside a plain field for all',
      query: '{ media { ... on Film { verdict } stars } }',
    },
    { name: 'a field that every type gets', query: '{ media { title price } }' },
    { name: 'fields of two interface objects', query: '{ media { price stars id shelf { label } } }' },
    { name: 'on a concrete type', query: '{ film(id: "f1") { price stars minutes } }' },
    {
      name: 'under type conditions',
      query: '{ media { ... on Film { minutes price } ... on Album { tracks stars } } }',
    },
    {
      name: 'from an interface object, fields of its own only',
      query: '{ rentals { day item { id price } } }',
    },
    {
      name: 'from an interface object, the true type name',
      query: '{ rentals { item { __typename price } } }',
    },
    {
      name: 'from an interface object, type conditions',
      query: '{ rentals { item { ... on Film { minutes } ... on Album { tracks title } } } }',
    },
    {
      name: 'from an interface object, a fragment that repeats a field',
      query: '{ rentals { item { price shelf { row } ... on Album { price shelf { row } } } } }',
    },
    { name: 'from an interface object, a field of the interface', query: '{ rentals { item { title } } }' },
    {
      name: 'from one interface object to another',
      query: '{ rentals { item { stars } } reviewed { price } }',
    },
    { name: 'a requirement on an interface object', query: '{ media { verdict } }' },
    {
      name: 'a requirement from another interface object',
      query: '{ rentals { item { verdict shelf { row } } } }',
    },
    {
      name: 'a type extended in a third subgraph',
      query:
        '{ rentals { item { ... on Film { dubbed } } } reviewed { __typename ... on Film { dubbed stars } } }',
    },
    {
      name: 'a concrete type with a requirement',
      query: '{ film(id: "f2") { verdict title price dubbed } }',
    },
    {
      name: 'aliases',
      query:
        '{ media { id: title title: id price: stars stars: price } rentals { item { __typename2: id t: __typename a: price b: price } } }',
    },
    {
      name: 'conditions on what needs another subgraph',
      query:
        'query ($s: Boolean!) { rentals { item { id price stars @include(if: $s) ... on Film @include(if: $s) { dubbed } title @skip(if: $s) } } }',
      variables: { s: false },
    },
    {
      name: 'a non-null field for one type only, with an error of the other',
      query: '{ reviewed { ... on Film { rank } } }',
    },
    {
      name: 'the same with fields of both types',
      query: '{ reviewed { stars ... on Film { rank } ... on Album { shelf { row } } } }',
    },
    {
      name: 'the same where the types are known',
      query: '{ media { ... on Film { rank stars } ... on Album { stars } } }',
    },
    {
      name: 'the same below another object',
      query: '{ rentals { item { price ... on Film { title number: rank } } } }',
    },
    { name: 'an error of an interface object', query: '{ media { id rank } }', errors: 'exact' },
    {
      name: 'the same behind another interface object',
      query: '{ rentals { day item { price rank } } }',
      errors: 'exact',
    },
  ],
}
