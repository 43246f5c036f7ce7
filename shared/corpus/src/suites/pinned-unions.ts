import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * A union with more members than the only subgraph that can be reached knows: the rest never comes, and is no
 * error.
 */
export const pinnedUnions: Suite = {
  name: 'a union bigger than its only source',
  monolith: `
    type Query { users: [User!]! admin: User media: [Asset] }
    type User { id: ID! name: String! avatar: Asset gallery: [Asset!] }
    union Asset = Photo | Drawing | Model
    type Photo { id: ID! url: String taken: Int! }
    type Drawing { id: ID! url: String pen: String }
    type Model { id: ID! url: String triangles: Int }
  `,
  tables: () => {
    const photo = { __typename: 'Photo', id: 'p1', url: '/p1', taken: 1999 }
    const bad = { __typename: 'Photo', id: 'p2', url: null, taken: new Error('no year') }
    const drawing = { __typename: 'Drawing', id: 'd1', url: '/d1', pen: new Error('no pen') }
    return {
      Photo: [photo, bad],
      Drawing: [drawing],
      Model: [{ __typename: 'Model', id: 'm1', url: '/m1', triangles: 12 }],
      User: [
        { __typename: 'User', id: 'u1', name: 'Uma', avatar: photo, gallery: [drawing, photo] },
        { __typename: 'User', id: 'u2', name: new Error('no name'), avatar: null, gallery: [bad] },
      ],
    }
  },
  fields: {
    'Query.users': (_row, _args, tables) => tables['User'],
    'Query.admin': (_row, _args, tables) => find(tables['User'], 'id', 'u1'),
    'Query.media': (_row, _args, tables) => [tables['Model']?.[0], null, tables['Photo']?.[0]],
  },
  subgraphs: {
    users: {
      sdl: `${FED2}
        type Query { users: [User!]! admin: User }
        type User @key(fields: "id") { id: ID! avatar: Asset gallery: [Asset!] }
        union Asset = Photo | Drawing
        type Photo @key(fields: "id") { id: ID! url: String @shareable }
        type Drawing @key(fields: "id") { id: ID! url: String @shareable }`,
    },
    models: {
      sdl: `${FED2}
        type Query { media: [Asset] }
        union Asset = Photo | Model
        type Photo @key(fields: "id") { id: ID! url: String @shareable taken: Int! }
        type Model @key(fields: "id") { id: ID! url: String triangles: Int }
        type User @key(fields: "id") { id: ID! name: String! }`,
    },
    pens: { sdl: `${FED2} type Drawing @key(fields: "id") { id: ID! pen: String }` },
  },
  operations: [
    {
      name: 'members it knows',
      query: '{ admin { avatar { ... on Photo { url } ... on Drawing { url } } } }',
    },
    {
      name: 'a member it does not know asks nobody',
      query: '{ admin { avatar { ... on Model { triangles url } } } }',
    },
    {
      name: 'known and unknown members in a list',
      query:
        '{ admin { gallery { __typename ... on Model { triangles } ... on Photo { taken } ... on Drawing { id } } } }',
    },
    {
      name: 'the other root',
      query: '{ media { __typename ... on Photo { taken } ... on Model { url } ... on Drawing { pen } } }',
    },
    {
      name: 'both roots',
      query:
        '{ admin { avatar { ... on Photo { taken } } } media { ... on Drawing { url } ... on Model { id } } }',
    },
    {
      name: 'aliases',
      query:
        '{ admin { a: avatar { ... on Photo { url: id id: url } ... on Model { url: id } } b: avatar { t: __typename } } }',
    },
    {
      name: 'fragments',
      query:
        '{ admin { avatar { ...A } gallery { ...A } } } fragment A on Asset { ... on Model { ...M } ... on Photo { taken } } fragment M on Model { triangles }',
    },
    {
      name: 'conditions',
      query:
        'query ($m: Boolean!) { media { ... on Model @include(if: $m) { triangles } ... on Photo @skip(if: $m) { taken } } }',
      variables: { m: true },
    },
    {
      name: 'a non-null error of a member',
      query: '{ users { gallery { ... on Photo { id taken } ... on Model { id } } } }',
      errors: 'exact',
    },
    {
      name: 'an error of another member',
      query: '{ users { gallery { ... on Drawing { pen id } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error of the owner',
      query: '{ users { name avatar { ... on Photo { id } } } }',
      errors: 'exact',
    },
    { name: 'no member at all', query: '{ admin { id avatar { __typename } } }' },
  ],
}
