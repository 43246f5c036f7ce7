import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * The second federation's ways to extend an entity: with @extends, with `extend type`, with several external
 * keys.
 */
export const extensions: Suite = {
  name: 'extensions with external keys',
  monolith: `
    type Query { articles: [Article!]! editors: [Editor!]! top: Article cheap: [Article] }
    type Article { id: ID! isbn: String title: String words: Int editor: Editor fee: Int digest: String proof: Int! }
    type Editor { id: ID! email: String name: String desk: Desk articles: [Article!] }
    type Desk { floor: Int seat: String }
  `,
  tables: () => ({
    Article: [
      {
        __typename: 'Article',
        id: '1',
        isbn: 'i1',
        title: 'One',
        words: 100,
        editor: 'e1',
        fee: 5,
        proof: 1,
      },
      {
        __typename: 'Article',
        id: '2',
        isbn: 'i2',
        title: 'Two',
        words: 200,
        editor: 'e2',
        fee: null,
        proof: new Error('no proof'),
      },
    ],
    Editor: [
      {
        __typename: 'Editor',
        id: 'e1',
        email: 'a@x',
        name: 'Ada',
        desk: { __typename: 'Desk', floor: 1, seat: 'A' },
      },
      { __typename: 'Editor', id: 'e2', email: 'b@x', name: null, desk: null },
    ],
  }),
  fields: {
    'Query.articles': (_row, _args, tables) => tables['Article'],
    'Query.editors': (_row, _args, tables) => tables['Editor'],
    'Query.top': (_row, _args, tables) => tables['Article']?.[1],
    'Query.cheap': (_row, _args, tables) => [tables['Article']?.[1], null, tables['Article']?.[0]],
    'Article.editor': (row, _args, tables) => find(tables['Editor'], 'id', row['editor']),
    'Editor.articles': (row, _args, tables) =>
      tables['Article']?.filter(({ editor }) => editor === row['id']),
  },
  computed: {
    'Article.digest': { compute: ({ title, words }) => `${JSON.stringify(title)}/${String(words)}` },
  },
  subgraphs: {
    press: {
      sdl: `${FED2}
        type Query { articles: [Article!]! top: Article }
        type Article @key(fields: "id") @key(fields: "isbn") { id: ID! isbn: String title: String words: Int editor: Editor @provides(fields: "name desk { floor }") }
        extend type Editor @key(fields: "id") { id: ID! @external name: String @external desk: Desk @external }
        type Desk @external { floor: Int }`,
    },
    staff: {
      sdl: `${FED2}
        type Query { editors: [Editor!]! }
        type Editor @key(fields: "id") @key(fields: "email") { id: ID! email: String name: String desk: Desk }
        type Desk @shareable { floor: Int seat: String }`,
    },
    billing: {
      sdl: `${FED2}
        type Query { cheap: [Article] }
        type Article @extends @key(fields: "isbn") @key(fields: "id") {
          id: ID! @external isbn: String @external
          title: String @external words: Int @external
          fee: Int proof: Int!
          digest: String @requires(fields: "title words")
        }`,
    },
    archive: {
      sdl: `${FED2} extend type Editor @key(fields: "email") { email: String @external articles: [Article!] } type Article @key(fields: "id", resolvable: false) { id: ID! }`,
    },
  },
  operations: [
    { name: 'a field added to the entity', query: '{ articles { title fee } }' },
    { name: 'a requirement of an extension', query: '{ articles { digest } top { digest fee } }' },
    { name: 'from the extension, its external keys', query: '{ cheap { id isbn fee } }' },
    { name: 'from the extension, the rest', query: '{ cheap { title digest editor { email } } }' },
    {
      name: 'provided fields of an extended entity',
      query: '{ articles { editor { name desk { floor } } } }',
    },
    {
      name: 'beside the provided fields',
      query: '{ articles { editor { name desk { floor seat } email } } }',
    },
    {
      name: 'an extension by another key than the reference has',
      query: '{ top { editor { articles { id title } } } }',
    },
    {
      name: 'from the owner into the extension and on',
      query: '{ editors { articles { fee digest } name } }',
    },
    { name: 'aliases', query: '{ cheap { id: isbn isbn: id title: digest digest: fee } }' },
    {
      name: 'fragments',
      query:
        '{ top { ...A editor { ... on Editor { email } } } } fragment A on Article { fee ... { words } }',
    },
    {
      name: 'conditions',
      query:
        'query ($d: Boolean!) { cheap { id digest @include(if: $d) fee @skip(if: $d) editor @include(if: $d) { name } } }',
      variables: { d: false },
    },
    {
      name: 'a non-null error of the extension',
      query: '{ cheap { isbn proof } top { title proof } }',
      errors: 'exact',
    },
  ],
}
