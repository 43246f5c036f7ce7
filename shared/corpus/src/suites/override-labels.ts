import { find, type Suite, type SuiteOperation } from '../harness/suite.ts'

const FED27 =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable", "@external", "@requires", "@override", "@interfaceObject"])\n'

/**
 * Each question under every set of labels that could change its answer's way: calls.json shows who is asked.
 */
function underEach(
  name: string,
  query: string,
  ...sets: readonly (readonly string[])[]
): readonly SuiteOperation[] {
  return sets.map((labels) => ({
    name: `${name} (${labels.length === 0 ? 'none' : labels.join(', ')})`,
    query,
    labels,
  }))
}

/**
 * Fields that are moving house, each under a label: while it is active the new house answers, else the old
 * one.
 */
export const overrideLabels: Suite = {
  name: 'override labels',
  monolith: `
    type Query { posts: [Post!]! feed: [Item!]! motd: String authors: [Author!]! }
    type Mutation { rename(id: ID!, title: String!): Post }
    interface Item { id: ID! views: Int rank: Int }
    type Post implements Item {
      id: ID! code: ID! views: Int rank: Int title: String! likes: Int score: Int tag: String author: Author! details: Details
    }
    type Ad implements Item { id: ID! views: Int rank: Int sponsor: String }
    type Author { id: ID! name: String bio: String }
    type Details { width: Int height: Int }
  `,
  tables: () => ({
    Post: [
      {
        __typename: 'Post',
        id: 'p1',
        code: 'c1',
        views: 3,
        rank: 1,
        title: 'Hello',
        likes: 2,
        tag: 'x',
        author: 'a1',
        details: { __typename: 'Details', width: 1, height: 2 },
      },
      {
        __typename: 'Post',
        id: 'p2',
        code: 'c2',
        views: null,
        rank: 2,
        title: 'World',
        likes: 7,
        tag: null,
        author: 'a2',
        details: null,
      },
    ],
    Ad: [{ __typename: 'Ad', id: 'x1', views: 100, rank: 3, sponsor: 'Acme' }],
    Author: [
      { __typename: 'Author', id: 'a1', name: 'Ann', bio: 'writes' },
      { __typename: 'Author', id: 'a2', name: 'Bob', bio: null },
    ],
  }),
  fields: {
    'Query.posts': (_row, _args, tables) => tables['Post'],
    'Query.feed': (_row, _args, tables) => [tables['Post']?.[0], tables['Ad']?.[0], tables['Post']?.[1]],
    'Query.authors': (_row, _args, tables) => tables['Author'],
    'Query.motd': () => 'be kind',
    'Post.author': (row, _args, tables) => find(tables['Author'], 'id', row['author']),
    'Mutation.rename': (_row, { id, title }, tables) => {
      const rows = tables['Post'] ?? []
      const index = rows.findIndex((row) => row['id'] === id)
      const row = rows[index]
      if (row === undefined) return null
      const renamed = { ...row, title }
      rows[index] = renamed
      return renamed
    },
  },
  computed: { 'Post.score': { compute: ({ likes }) => Number(likes) * 10 } },
  subgraphs: {
    old: {
      sdl: `${FED27}
        type Query { posts: [Post!]! feed: [Item!]! motd: String authors: [Author!]! }
        type Mutation { rename(id: ID!, title: String!): Post }
        interface Item { id: ID! views: Int }
        type Post implements Item @key(fields: "id") @key(fields: "code") {
          id: ID! code: ID! views: Int title: String! likes: Int score: Int tag: String @shareable author: Author! details: Details
        }
        type Ad implements Item @key(fields: "id") { id: ID! views: Int sponsor: String }
        type Author @key(fields: "id") { id: ID! name: String @shareable bio: String }
        type Details @shareable { width: Int height: Int }`,
      fields: { 'Post.score': (row) => Number(row['likes']) * 10 },
    },
    fresh: {
      sdl: `${FED27}
        type Query { motd: String @override(from: "old", label: "motd") }
        type Mutation { rename(id: ID!, title: String!): Post @override(from: "old", label: "rename") }
        type Post @key(fields: "id") {
          id: ID!
          views: Int @override(from: "old", label: "percent(25)")
          title: String! @override(from: "old", label: "titles")
          likes: Int @external
          score: Int @requires(fields: "likes") @override(from: "old", label: "scores")
          author: Author! @override(from: "old", label: "authors")
          tag: String @shareable @override(from: "old", label: "tags")
          details: Details @override(from: "old", label: "details")
        }
        type Author @key(fields: "id") { id: ID! name: String @shareable }
        type Details @shareable { width: Int height: Int }`,
    },
    ranks: {
      sdl: `${FED27}
        type Item @key(fields: "id") @interfaceObject { id: ID! rank: Int }
        type Ad @key(fields: "id") { id: ID! sponsor: String @override(from: "old", label: "ads") }`,
    },
    tags: { sdl: `${FED27} type Post @key(fields: "code") { code: ID! tag: String @shareable }` },
  },
  operations: [
    ...underEach('a field of an entity', '{ posts { id views } }', [], ['percent(25)']),
    ...underEach('a root field', '{ motd posts { id } }', [], ['motd']),
    ...underEach('through an interface', '{ feed { id views } }', [], ['percent(25)']),
    ...underEach(
      'through an interface with type conditions and an alias',
      '{ feed { ... on Post { seen: views title } ... on Ad { seen: views sponsor } } }',
      [],
      ['percent(25)'],
      ['ads', 'titles'],
    ),
    ...underEach(
      'two fields under labels of their own',
      '{ posts { title views } }',
      ['titles'],
      ['percent(25)', 'titles'],
    ),
    ...underEach(
      'a field that requires others in its new house',
      '{ posts { score likes } }',
      [],
      ['scores'],
    ),
    ...underEach('an entity', '{ posts { author { name bio } } }', [], ['authors']),
    ...underEach('a value type', '{ posts { details { width height } } }', [], ['details']),
    ...underEach('a shared field', '{ posts { tag } }', [], ['tags']),
    ...underEach('beside an interface object', '{ feed { rank views } }', [], ['percent(25)']),
    ...underEach('a mutation', 'mutation { rename(id: "p1", title: "Ho") { title views } }', [], ['rename']),
    ...underEach(
      'a condition',
      '{ posts { id views @include(if: true) title @skip(if: true) } }',
      [],
      ['percent(25)', 'titles'],
    ),
    ...underEach('labels that nothing of it stands under', '{ authors { id bio } }', [
      'motd',
      'percent(25)',
      'titles',
      'unknown',
    ]),
  ],
}
