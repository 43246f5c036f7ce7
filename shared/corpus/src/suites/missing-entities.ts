import { FED2, findAll, type Suite } from '../harness/suite.ts'

/** References to entities that the next subgraph has never heard of. */
export const missingEntities: Suite = {
  name: 'entities that are not there',
  monolith: `
    type Query { links: [Link!]! link: Link }
    type Link { id: ID! page: Page pages: [Page] }
    type Page { url: ID! slug: String title: String size: Int! tag: Tag teaser: String rank: Int }
    type Tag { name: String! uses: Int }
  `,
  tables: () => ({
    Link: [
      { __typename: 'Link', id: '1', page: '/a', pages: ['/a', '/gone', '/a', '/b'] },
      { __typename: 'Link', id: '2', page: '/gone', pages: [] },
    ],
    Page: [
      { __typename: 'Page', url: '/a', slug: 'sa', title: 'A', size: 1, tag: 'news', rank: 1 },
      { __typename: 'Page', url: '/b', slug: 'sb', title: 'B', size: 2, tag: 'lost', rank: 2 },
      { __typename: 'Page', url: '/gone', slug: null, title: null, size: null, tag: null, rank: null },
    ],
    Tag: [
      { __typename: 'Tag', name: 'news', uses: 10 },
      { __typename: 'Tag', name: 'lost', uses: null },
    ],
  }),
  fields: {
    'Query.links': (_row, _args, tables) => tables['Link'],
    'Query.link': (_row, _args, tables) => tables['Link']?.[1],
    'Link.page': (row, _args, tables) => findAll(tables['Page'], 'url', [row['page']])[0],
    'Link.pages': (row, _args, tables) => findAll(tables['Page'], 'url', row['pages']),
    'Page.tag': (row, _args, tables) => findAll(tables['Tag'], 'name', [row['tag']])[0],
  },
  computed: {
    'Page.teaser': { compute: ({ title }) => (title === null ? null : `${JSON.stringify(title)}…`) },
  },
  subgraphs: {
    links: {
      sdl: `${FED2}
        type Query { links: [Link!]! link: Link }
        type Link { id: ID! page: Page pages: [Page] }
        type Page @key(fields: "url", resolvable: false) { url: ID! }`,
    },
    pages: {
      sdl: `${FED2} type Page @key(fields: "url") @key(fields: "slug") { url: ID! slug: String title: String size: Int! tag: Tag } type Tag @key(fields: "name", resolvable: false) { name: String! }`,
      missing: ({ url }) => url === '/gone',
    },
    teasers: {
      sdl: `${FED2} type Page @key(fields: "url") { url: ID! title: String @external teaser: String @requires(fields: "title") }`,
    },
    ranks: { sdl: `${FED2} type Page @key(fields: "slug") { slug: String rank: Int }` },
    tags: {
      sdl: `${FED2} type Tag @key(fields: "name") { name: String! uses: Int }`,
      missing: ({ name }) => name === 'lost',
    },
  },
  operations: [
    { name: 'nullable fields are null, without an error', query: '{ links { page { url title } } }' },
    { name: 'in a list with the same entity twice', query: '{ links { pages { title url } } }' },
    {
      name: 'a non-null field takes its parent along',
      query: '{ links { id page { url size } pages { size } } }',
      errors: 'exact',
    },
    { name: 'nobody is asked about what hangs below it', query: '{ link { page { tag { name uses } } } }' },
    { name: 'below an entity that is there', query: '{ links { pages { tag { name uses } } } }' },
    {
      name: 'a null input is an input',
      query: '{ links { page { teaser } } link { page { teaser title } } }',
    },
    { name: 'a null key is no key', query: '{ links { pages { rank } } link { page { rank slug } } }' },
  ],
}
