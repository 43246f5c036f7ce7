import { FED2, type Suite } from '../harness/suite.ts'

/**
 * One type of an interface moved its field elsewhere; asking through the interface must not ask the old
 * owner.
 */
export const overrideInterfaces: Suite = {
  name: 'overridden fields of an interface',
  monolith: `
    type Query { feed: [Post] other: [Post!] image: Image pinned: Post }
    interface Post { id: ID! createdAt: String! likes: Int }
    type Image implements Post { id: ID! createdAt: String! likes: Int url: String }
    type Text implements Post { id: ID! createdAt: String! likes: Int body: String! }
  `,
  tables: () => ({
    Image: [
      { __typename: 'Image', id: 'i1', createdAt: 'i1-new', likes: 1, url: '/i1' },
      { __typename: 'Image', id: 'i2', createdAt: new Error('no date'), likes: null, url: null },
    ],
    Text: [{ __typename: 'Text', id: 't1', createdAt: 't1-old', likes: 2, body: new Error('no body') }],
  }),
  fields: {
    'Query.feed': (_row, _args, tables) => [
      tables['Image']?.[0],
      null,
      tables['Text']?.[0],
      tables['Image']?.[1],
    ],
    'Query.other': (_row, _args, tables) => [tables['Text']?.[0], tables['Image']?.[0]],
    'Query.image': (_row, _args, tables) => tables['Image']?.[0],
    'Query.pinned': (_row, _args, tables) => tables['Image']?.[0],
  },
  subgraphs: {
    old: {
      sdl: `${FED2}
        type Query { feed: [Post] pinned: Post }
        interface Post { id: ID! createdAt: String! likes: Int }
        type Image implements Post @key(fields: "id") { id: ID! createdAt: String! likes: Int }
        type Text implements Post @key(fields: "id") { id: ID! createdAt: String! likes: Int body: String! }`,
    },
    fresh: {
      sdl: `${FED2}
        type Query { other: [Post!] image: Image }
        interface Post { id: ID! createdAt: String! }
        type Image implements Post @key(fields: "id") { id: ID! createdAt: String! @override(from: "old") url: String }
        type Text implements Post @key(fields: "id") { id: ID! createdAt: String! @override(from: "old") }`,
    },
    likes: { sdl: `${FED2} type Image @key(fields: "id") { id: ID! likes: Int @override(from: "old") }` },
  },
  operations: [
    { name: 'a field that did not move', query: '{ feed { id } }' },
    { name: 'a field that every type moved', query: '{ other { id createdAt } pinned { createdAt } }' },
    { name: 'a field that one type moved', query: '{ feed { likes } other { likes } }' },
    {
      name: 'on the concrete type',
      query: '{ image { createdAt likes url } pinned { ... on Image { likes url } } }',
    },
    {
      name: 'fragments',
      query:
        '{ other { ...P } } fragment P on Post { ... on Image { likes } ... on Text { createdAt } ... on Post { id } }',
    },
    { name: 'aliases', query: '{ other { id: createdAt createdAt: id a: likes b: likes } }' },
    {
      name: 'conditions',
      query: 'query ($c: Boolean!) { feed { id createdAt @include(if: $c) likes @skip(if: $c) } }',
      variables: { c: false },
    },
    { name: 'a non-null error of the new owner', query: '{ feed { createdAt likes } }', errors: 'exact' },
    {
      name: 'a non-null error of the old owner',
      query: '{ other { id ... on Text { body } } }',
      errors: 'exact',
    },
    {
      name: 'type names and moved fields',
      query: '{ feed { __typename likes } pinned { __typename createdAt } }',
    },
  ],
}
