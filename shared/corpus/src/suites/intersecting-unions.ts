import { FED2, type Suite } from '../harness/suite.ts'

/**
 * Subgraphs that return different parts of a union from the fields they share, and one that returns a member
 * itself.
 */
export const intersectingUnions: Suite = {
  name: 'unions and return types that differ per subgraph',
  monolith: `
    type Query { media: Media book: Media song: Song viewer: Viewer viewers: [Viewer] }
    type Viewer { media: Media book: Media song: Song list: [[Media]] name: String }
    union Media = Book | Song | Movie
    type Book { title: String! aTitle: String bTitle: String }
    type Song { title: String! aTitle: String }
    type Movie { title: String! bTitle: String! }
  `,
  tables: () => ({}),
  fields: {
    'Query.media': () => BOOK,
    'Query.book': () => BOOK,
    'Query.song': () => ({ __typename: 'Song', title: 's', aTitle: 'sa' }),
    'Query.viewer': () => viewer(BOOK),
    'Query.viewers': () => [viewer(BAD_BOOK), null, viewer(BOOK)],
  },
  subgraphs: {
    alpha: {
      sdl: `${FED2}
        type Query { media: Media @shareable book: Book @shareable song: Song viewer: Viewer @shareable viewers: [Viewer] @shareable }
        type Viewer { media: Media @shareable book: Book @shareable song: Song list: [[Media]] @shareable }
        union Media = Book | Song
        type Book { title: String! @shareable aTitle: String }
        type Song { title: String! @shareable aTitle: String }`,
    },
    beta: {
      sdl: `${FED2}
        type Query { media: Media @shareable book: Media @shareable viewer: Viewer @shareable viewers: [Viewer] @shareable }
        type Viewer { media: Media @shareable book: Media @shareable list: [[Media]] @shareable name: String }
        union Media = Book | Movie
        type Book { title: String! @shareable bTitle: String }
        type Movie { title: String! @shareable bTitle: String! }`,
    },
  },
  operations: [
    {
      name: 'the common member',
      query: '{ media { ... on Book { title } } viewer { media { ... on Book { title } } } }',
    },
    {
      name: 'members of either side',
      query: '{ media { __typename ... on Book { title } ... on Song { title } ... on Movie { title } } }',
    },
    {
      name: 'a field of the member that only one side has',
      query: '{ media { ... on Book { aTitle } } viewer { media { ... on Book { bTitle } } } }',
    },
    { name: 'fields of both sides of one value', query: '{ media { ... on Book { title aTitle bTitle } } }' },
    {
      name: 'the same one level down',
      query: '{ viewer { name media { ... on Book { aTitle bTitle title } ... on Movie { title } } } }',
    },
    {
      name: 'a member there, the union here',
      query:
        '{ book { __typename ... on Book { title aTitle } ... on Song { aTitle } ... on Movie { title } } }',
    },
    {
      name: 'a member there, the union here, below a value',
      query: '{ viewer { book { ... on Book { aTitle bTitle } ... on Movie { title } } } }',
    },
    {
      name: 'a field that one side has alone',
      query:
        '{ song { title aTitle ... on Media { __typename } } viewer { song { __typename ... on Song { aTitle } } } }',
    },
    {
      name: 'lists of lists',
      query: '{ viewer { list { __typename ... on Book { aTitle bTitle } ... on Movie { title } } } }',
    },
    {
      name: 'aliases',
      query:
        '{ a: media { ... on Book { title: aTitle aTitle: title } ... on Song { t: title } } b: media { ... on Book { x: bTitle } } viewer { c: book { ... on Book { y: title } } } }',
    },
    {
      name: 'fragments',
      query:
        '{ viewer { ...V } } fragment V on Viewer { media { ...M } book { ...M } } fragment M on Media { ... on Book { title ...B } ... on Movie { title } } fragment B on Book { bTitle }',
    },
    {
      name: 'conditions',
      query:
        'query ($a: Boolean!) { media { ... on Book @include(if: $a) { aTitle } ... on Book @skip(if: $a) { bTitle } ... on Song @include(if: $a) { title } } }',
      variables: { a: false },
    },
    {
      name: 'an error on both sides',
      query: '{ viewers { name media { ... on Book { title } } } }',
      errors: 'exact',
    },
    {
      name: 'an error of one side',
      query: '{ viewers { media { ... on Book { aTitle bTitle } } } }',
      errors: 'exact',
    },
    { name: 'type names', query: '{ viewer { __typename media { __typename } } media { __typename } }' },
    {
      name: 'a member there, the union here, a field of the union side',
      query: '{ book { ... on Book { title bTitle } } viewer { book { ... on Book { bTitle } } } }',
    },
    {
      name: 'a member there, the union here, only members of the union side',
      query: '{ book { ... on Movie { bTitle } ... on Song { title } } viewer { name book { __typename } } }',
    },
    { name: 'a value alone', query: '{ viewer { name } }' },
  ],
}

const BOOK = { __typename: 'Book', title: 'b', aTitle: 'ba', bTitle: 'bb' }
const BAD_BOOK = { __typename: 'Book', title: new Error('no title'), aTitle: new Error('no a'), bTitle: 'ok' }

function viewer(book: typeof BOOK | typeof BAD_BOOK) {
  return {
    __typename: 'Viewer',
    media: book,
    book,
    song: { __typename: 'Song', title: 's', aTitle: null },
    list: [[book, null], null, []],
    name: 'Vi',
  }
}
