import { FED2, find, type Suite } from '../harness/suite.ts'

/** Fields that moved house. The old house still declares them and must not be asked. */
export const override: Suite = {
  name: 'override',
  monolith: `
    type Query { posts: [Post!]! newest: Post feed: [Item!]! motd: String }
    interface Item { id: ID! createdAt: Int }
    type Post implements Item { id: ID! createdAt: Int title: String! views: Int likes: Int score: Int author: Author! slug: String shares: Int! }
    type Ad implements Item { id: ID! createdAt: Int sponsor: String }
    type Author { id: ID! name: String bio: String }
  `,
  tables: () => ({
    Post: [
      {
        __typename: 'Post',
        id: 'p1',
        createdAt: 10,
        title: 'Hello',
        views: 3,
        likes: 1,
        author: 'a1',
        slug: 'hello',
        shares: 1,
      },
      {
        __typename: 'Post',
        id: 'p2',
        createdAt: 20,
        title: 'World',
        views: 0,
        likes: null,
        author: 'a2',
        slug: null,
        shares: new Error('no shares'),
      },
    ],
    Ad: [{ __typename: 'Ad', id: 'x1', createdAt: 15, sponsor: 'Acme' }],
    Author: [
      { __typename: 'Author', id: 'a1', name: 'Ann', bio: 'writes' },
      { __typename: 'Author', id: 'a2', name: 'Bob', bio: null },
    ],
  }),
  fields: {
    'Query.posts': (_row, _args, tables) => tables['Post'],
    'Query.newest': (_row, _args, tables) => tables['Post']?.[1],
    'Query.feed': (_row, _args, tables) => [tables['Post']?.[0], tables['Ad']?.[0], tables['Post']?.[1]],
    'Query.motd': () => 'be kind',
    'Post.author': (row, _args, tables) => find(tables['Author'], 'id', row['author']),
  },
  computed: {
    'Post.score': { compute: ({ views, likes }) => Number(views) + Number(likes) * 10 },
  },
  subgraphs: {
    old: {
      sdl: `${FED2}
        type Query { posts: [Post!]! feed: [Item!]! motd: String }
        interface Item { id: ID! createdAt: Int }
        type Post implements Item @key(fields: "id") {
          id: ID! createdAt: Int title: String! @shareable views: Int likes: Int @external author: Author! slug: String @shareable
          score: Int @requires(fields: "likes")
        }
        type Ad implements Item @key(fields: "id") { id: ID! createdAt: Int sponsor: String }
        type Author @key(fields: "id") { id: ID! name: String @shareable bio: String }`,
    },
    fresh: {
      sdl: `${FED2}
        type Query { newest: Post motd: String @override(from: "old") }
        type Post @key(fields: "id") {
          id: ID!
          createdAt: Int @override(from: "old")
          views: Int @override(from: "old")
          likes: Int shares: Int!
          author: Author! @override(from: "old")
          score: Int @override(from: "old")
          slug: String @shareable @override(from: "old")
        }
        type Author @key(fields: "id") { id: ID! bio: String @override(from: "old") }`,
      fields: { 'Post.score': (row) => Number(row['views']) + Number(row['likes']) * 10 },
    },
    slugs: {
      sdl: `${FED2}
        type Post @key(fields: "id") { id: ID! slug: String @shareable title: String! @override(from: "nowhere") @shareable }
        type Ad @key(fields: "id") { id: ID! sponsor: String @override(from: "old") }`,
    },
  },
  operations: [
    { name: 'a field taken over', query: '{ posts { title views } }' },
    { name: 'a requires field taken over by a plain one', query: '{ posts { score } }' },
    { name: 'a root field taken over', query: '{ motd posts { id } }' },
    {
      name: 'an entity field taken over, with fields on both sides',
      query: '{ posts { author { name bio } } }',
    },
    { name: 'through an interface: one type moved, one did not', query: '{ feed { id createdAt } }' },
    {
      name: 'through an interface with type conditions',
      query: '{ feed { ... on Post { views createdAt } ... on Ad { createdAt sponsor } } }',
    },
    { name: 'shared and taken over', query: '{ posts { slug } newest { slug title } }' },
    { name: 'from the new owner back', query: '{ newest { title views author { name } } }' },
    { name: 'an override from a subgraph that does not exist', query: '{ newest { title } }' },
    {
      name: 'aliases',
      query:
        '{ posts { id: title title: id likes: views views: likes score author { name: bio bio: name } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($v: Boolean!) { posts { title views @include(if: $v) } feed { id createdAt @skip(if: $v) ... on Post @include(if: $v) { likes } } motd @include(if: $v) }',
      variables: { v: false },
    },
    {
      name: 'a non-null error of the new owner',
      query: '{ newest { title shares } feed { id ... on Post { shares views } } }',
      errors: 'exact',
    },
  ],
}
