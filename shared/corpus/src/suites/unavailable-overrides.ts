import { FED2, find, type Suite } from '../harness/suite.ts'

/** An override from a subgraph that does not exist takes nothing from anyone. */
export const unavailableOverrides: Suite = {
  name: 'overrides of unknown subgraphs',
  monolith: `
    type Query { feed: [Post] post: Post other: [Post!]! note: Note }
    type Post { id: ID! createdAt: String! title: String tags: [[String]] note: Note }
    type Note { text: String! stars: Int }
  `,
  tables: () => ({
    Post: [
      {
        __typename: 'Post',
        id: 'p1',
        createdAt: 'then',
        title: 'One',
        tags: [['a', null], null],
        note: { __typename: 'Note', text: 'n', stars: 1 },
      },
      {
        __typename: 'Post',
        id: 'p2',
        createdAt: new Error('no date'),
        title: null,
        tags: [],
        note: { __typename: 'Note', text: new Error('no text'), stars: null },
      },
    ],
  }),
  fields: {
    'Query.feed': (_row, _args, tables) => [tables['Post']?.[0], null, tables['Post']?.[1]],
    'Query.post': (_row, _args, tables) => find(tables['Post'], 'id', 'p1'),
    'Query.other': (_row, _args, tables) => tables['Post'],
    'Query.note': () => ({ __typename: 'Note', text: 'root', stars: 5 }),
  },
  subgraphs: {
    first: {
      sdl: `${FED2}
        type Query { feed: [Post] post: Post note: Note @shareable @override(from: "gone") }
        type Post @key(fields: "id") { id: ID! createdAt: String! @shareable tags: [[String]] @override(from: "gone") note: Note @shareable }
        type Note @shareable { text: String! stars: Int @override(from: "long-gone") }`,
    },
    second: {
      sdl: `${FED2}
        type Query { other: [Post!]! note: Note @shareable }
        type Post @key(fields: "id") { id: ID! createdAt: String! @shareable @override(from: "never") title: String note: Note @shareable }
        type Note @shareable { text: String! stars: Int }`,
    },
  },
  operations: [
    { name: 'from the root of either', query: '{ feed { id title } other { id tags } }' },
    { name: 'the shared field on both ways', query: '{ post { createdAt title } note { text stars } }' },
    {
      name: 'aliases',
      query: '{ post { createdAt: id id: createdAt a: title } n: note { stars: text text: stars } }',
    },
    {
      name: 'fragments',
      query:
        '{ post { ...P note { ...N } } note { ...N } } fragment P on Post { title ... { tags } } fragment N on Note { stars ... on Note { text } }',
    },
    {
      name: 'conditions',
      query: 'query ($t: Boolean! = false) { post { createdAt title @include(if: $t) tags @skip(if: $t) } }',
    },
    { name: 'a non-null error', query: '{ feed { createdAt title } }', errors: 'exact' },
    {
      name: 'a non-null error in a list that may not hold null',
      query: '{ other { createdAt tags } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error in a value',
      query: '{ other { id note { text stars } tags } }',
      errors: 'exact',
    },
  ],
}
