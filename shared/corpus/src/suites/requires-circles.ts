import { FED2, find, type Suite } from '../harness/suite.ts'

/** Two subgraphs that require from each other, field after field, and entities that lead in circles. */
export const requiresCircles: Suite = {
  name: 'requirements in circles',
  monolith: `
    type Query { feed: [Post!]! post: Post }
    type Post { id: ID! byNovice: Boolean! byExpert: Boolean! author: Author! rank: Int level: String! reply: Post }
    type Author { id: ID! name: String years: Int! posts: [Post] }
  `,
  tables: () => ({
    Author: [
      { __typename: 'Author', id: 'a1', name: 'Ann', years: 1 },
      { __typename: 'Author', id: 'a2', name: new Error('no name'), years: 20 },
    ],
    Post: [
      { __typename: 'Post', id: 'p1', author: 'a1', reply: 'p2' },
      { __typename: 'Post', id: 'p2', author: 'a2', reply: 'p1' },
    ],
  }),
  fields: {
    'Query.feed': (_row, _args, tables) => tables['Post'],
    'Query.post': (_row, _args, tables) => tables['Post']?.[0],
    'Post.author': (row, _args, tables) => find(tables['Author'], 'id', row['author']),
    'Post.reply': (row, _args, tables) => find(tables['Post'], 'id', row['reply']),
    'Author.posts': (row, _args, tables) => [
      null,
      ...(tables['Post'] ?? []).filter(({ author }) => author === row['id']),
    ],
  },
  computed: {
    'Post.byNovice': { compute: ({ author }) => yearsOf(author) < 3, inputs: authorInputs },
    'Post.byExpert': {
      compute: ({ byNovice }) => byNovice !== true,
      inputs: (row) => ({ byNovice: row['author'] === 'a1' }),
    },
    'Post.rank': {
      compute: ({ byExpert }) => (byExpert === true ? 9 : 1),
      inputs: (row) => ({ byExpert: row['author'] !== 'a1' }),
    },
    'Post.level': {
      compute: ({ rank }) => {
        if (rank === 9) throw new Error('no level')
        return `level ${String(rank)}`
      },
      inputs: (row) => ({ rank: row['author'] === 'a1' ? 1 : 9 }),
    },
  },
  subgraphs: {
    posts: {
      sdl: `${FED2}
        type Query { feed: [Post!]! post: Post }
        type Post @key(fields: "id") {
          id: ID! author: Author! reply: Post
          byNovice: Boolean! @external
          byExpert: Boolean! @requires(fields: "byNovice")
          rank: Int @external
          level: String! @requires(fields: "rank")
        }
        type Author @key(fields: "id") { id: ID! posts: [Post] }`,
    },
    authors: {
      sdl: `${FED2}
        type Post @key(fields: "id") {
          id: ID!
          author: Author! @external
          byNovice: Boolean! @requires(fields: "author { years }")
          byExpert: Boolean! @external
          rank: Int @requires(fields: "byExpert")
        }
        type Author @key(fields: "id") { id: ID! name: String years: Int! @shareable }`,
    },
  },
  operations: [
    { name: 'one step', query: '{ feed { byNovice } }' },
    { name: 'two steps', query: '{ feed { byExpert } }' },
    { name: 'three steps', query: '{ post { rank } }' },
    { name: 'the whole circle', query: '{ post { level rank byExpert byNovice author { years } } }' },
    {
      name: 'inputs the client selects otherwise',
      query: '{ feed { author { id: years years: id } byNovice: byExpert byExpert: byNovice } }',
    },
    {
      name: 'entities in circles',
      query: '{ post { reply { byNovice reply { byNovice author { posts { rank } } } } } }',
    },
    { name: 'aliases', query: '{ post { a: rank b: rank author: byNovice by: author { id } } }' },
    {
      name: 'fragments',
      query:
        '{ feed { ...P } } fragment P on Post { byExpert ... on Post { author { ... { years } } rank } }',
    },
    {
      name: 'conditions',
      query: 'query ($r: Boolean!) { post { id rank @include(if: $r) byNovice @skip(if: $r) } }',
      variables: { r: false },
    },
    {
      name: 'a non-null error at the end of the circle',
      query: '{ post { id reply { id level } level } }',
      errors: 'exact',
    },
    {
      name: 'an error below the input',
      query: '{ post { reply { byNovice author { name years } } } }',
      errors: 'exact',
    },
    { name: 'lists with null', query: '{ post { author { posts { byExpert } } } }' },
    {
      name: 'a field that fails where only the input of the same entity is wanted',
      query: '{ post { author { years name posts { reply { byNovice } } } } }',
    },
  ],
}

function yearsOf(author: unknown): number {
  return (author as { years: number }).years
}

function authorInputs(row: Readonly<Record<string, unknown>>) {
  return { author: { years: row['author'] === 'a1' ? 1 : 20 } }
}
