import { FED2, type Suite } from '../harness/suite.ts'

/**
 * A shareable union below an entity that two subgraphs can answer: whoever is asked, only common members
 * come.
 */
export const commonMembers: Suite = {
  name: 'a shareable union below an entity',
  monolith: `
    type Query { catalogue: Catalogue catalogues: [Catalogue] loose: Media }
    type Catalogue { id: ID! cover: Media items: [[Media]] owner: String! issue: Issue }
    type Issue { media: Media number: Int }
    union Media = Book | Song | Movie
    type Book { id: ID! title: String! pages: Int }
    type Song { id: ID! title: String! }
    type Movie { id: ID! title: String! }
  `,
  tables: () => {
    const book = { __typename: 'Book', id: 'b1', title: 'Sult', pages: 100 }
    const bad = { __typename: 'Book', id: 'b2', title: new Error('no title'), pages: new Error('no pages') }
    return {
      Book: [book, bad],
      Song: [{ __typename: 'Song', id: 's1', title: 'Vinter' }],
      Movie: [],
      Catalogue: [
        {
          __typename: 'Catalogue',
          id: 'c1',
          cover: book,
          items: [[book, null], null, []],
          owner: 'Ann',
          issue: { __typename: 'Issue', media: book, number: 1 },
        },
        {
          __typename: 'Catalogue',
          id: 'c2',
          cover: bad,
          items: [[bad]],
          owner: new Error('no owner'),
          issue: { __typename: 'Issue', media: null, number: null },
        },
      ],
    }
  },
  fields: {
    'Query.catalogue': (_row, _args, tables) => tables['Catalogue']?.[0],
    'Query.catalogues': (_row, _args, tables) => [tables['Catalogue']?.[1], null, tables['Catalogue']?.[0]],
    'Query.loose': (_row, _args, tables) => tables['Song']?.[0],
  },
  subgraphs: {
    front: {
      sdl: `${FED2}
        type Query { catalogue: Catalogue catalogues: [Catalogue] }
        type Catalogue @key(fields: "id") { id: ID! }`,
    },
    songs: {
      sdl: `${FED2}
        type Query { loose: Media }
        type Catalogue @key(fields: "id") { id: ID! cover: Media @shareable items: [[Media]] @shareable owner: String! issue: Issue @shareable }
        type Issue @shareable { media: Media number: Int }
        union Media = Book | Song
        type Book @key(fields: "id") { id: ID! title: String! @shareable }
        type Song @key(fields: "id") { id: ID! title: String! }`,
    },
    movies: {
      sdl: `${FED2}
        type Catalogue @key(fields: "id") { id: ID! cover: Media @shareable items: [[Media]] @shareable issue: Issue @shareable }
        type Issue @shareable { media: Media }
        union Media = Book | Movie
        type Book @key(fields: "id") { id: ID! title: String! @shareable pages: Int }
        type Movie @key(fields: "id") { id: ID! title: String! }`,
    },
  },
  operations: [
    { name: 'the common member', query: '{ catalogue { cover { ... on Book { title } } } }' },
    {
      name: 'members of either side',
      query: '{ catalogue { cover { ... on Song { title } ... on Movie { title } ... on Book { id } } } }',
    },
    { name: 'only members of one side', query: '{ catalogue { cover { ... on Movie { title id } } } }' },
    {
      name: 'a side is forced by a field of the parent',
      query: '{ catalogue { owner cover { __typename ... on Song { title } ... on Movie { title } } } }',
    },
    {
      name: 'a side is forced by a field of the member',
      query: '{ catalogue { cover { ... on Book { pages title } ... on Song { title } } } }',
    },
    {
      name: 'lists of lists',
      query: '{ catalogue { items { __typename ... on Book { pages } ... on Movie { id } } } }',
    },
    {
      name: 'below a value',
      query: '{ catalogue { issue { number media { ... on Book { pages } ... on Song { id } } } } }',
    },
    {
      name: 'a root that only one side has',
      query: '{ loose { __typename ... on Song { title } ... on Book { pages } ... on Movie { title } } }',
    },
    {
      name: 'aliases',
      query:
        '{ catalogue { a: cover { ... on Book { title: id id: title } } b: cover { ... on Book { n: pages } ... on Song { n2: id } } } }',
    },
    {
      name: 'fragments',
      query:
        '{ catalogue { ...K } } fragment K on Catalogue { cover { ...M } issue { media { ...M } } } fragment M on Media { ... on Book { title } ... on Movie { id } }',
    },
    {
      name: 'conditions',
      query:
        'query ($b: Boolean!) { catalogue { cover { ... on Book @include(if: $b) { pages } ... on Song @skip(if: $b) { id } __typename } } }',
      variables: { b: false },
    },
    {
      name: 'errors of the common member',
      query: '{ catalogues { id cover { ... on Book { id pages } } items { ... on Book { title } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error of one side',
      query: '{ catalogues { owner cover { __typename } } }',
      errors: 'exact',
    },
    { name: 'no member at all', query: '{ catalogue { id owner } }' },
  ],
}
