import { FED2, find, type Suite } from '../harness/suite.ts'

/** Arguments and input fields that only some subgraphs know are not there for clients. */
export const inputs: Suite = {
  name: 'common inputs',
  monolith: `
    type Query { search(filter: Filter, sort: Order = ASC): [Doc!]! doc(id: ID!): Doc }
    type Doc { id: ID! text(max: Int): String hits(filter: Filter): String rank(by: Order!): Int strict(filter: Filter!): Int! }
    input Filter { word: String min: Int = 1 nested: Nested }
    input Nested { on: Boolean! list: [Order!] }
    enum Order { ASC DESC }
  `,
  tables: () => ({
    Doc: [
      { __typename: 'Doc', id: '1', text: 'hello there' },
      { __typename: 'Doc', id: '2', text: 'general' },
    ],
  }),
  fields: {
    'Query.search': (_row, { filter, sort }, tables) => {
      const word = (filter as { word?: string | null } | undefined)?.word
      const rows = (tables['Doc'] ?? []).filter(
        ({ text }) => word === undefined || word === null || String(text).includes(word),
      )
      return sort === 'DESC' ? rows.toReversed() : rows
    },
    'Query.doc': (_row, args, tables) => find(tables['Doc'], 'id', args['id']),
    'Doc.text': (row, { max }) =>
      String(row['text']).slice(0, max === undefined || max === null ? 100 : Number(max)),
    'Doc.hits': (_row, args) => JSON.stringify(args),
    'Doc.strict': (row, { filter }) => {
      if (row['id'] === '2') throw new Error(`strict ${JSON.stringify(filter)}`)
      return 1
    },
    'Doc.rank': (row, { by }) => (by === 'DESC' ? -Number(row['id']) : Number(row['id'])),
  },
  subgraphs: {
    docs: {
      sdl: `${FED2}
        type Query { search(filter: Filter, sort: Order = ASC): [Doc!]! doc(id: ID!): Doc }
        type Doc @key(fields: "id") { id: ID! text(max: Int): String @shareable }
        input Filter { word: String min: Int = 1 nested: Nested secret: String }
        input Nested { on: Boolean! list: [Order!] }
        enum Order { ASC DESC RANDOM }`,
    },
    hits: {
      sdl: `${FED2}
        type Doc @key(fields: "id") { id: ID! text(max: Int, lang: String): String @shareable hits(filter: Filter): String rank(by: Order!): Int strict(filter: Filter!): Int! }
        input Filter { word: String min: Int = 1 nested: Nested other: Int }
        input Nested { on: Boolean! list: [Order!] }
        enum Order { ASC DESC }`,
    },
  },
  operations: [
    {
      name: 'a literal object',
      query: '{ search(filter: { word: "hell" }) { id hits(filter: { word: "x", nested: { on: true } }) } }',
    },
    {
      name: 'one variable in two subgraphs',
      query: 'query ($f: Filter) { search(filter: $f) { hits(filter: $f) } }',
      variables: { f: { word: 'e', nested: { on: false, list: ['ASC', 'DESC'] } } },
    },
    { name: 'an absent variable', query: 'query ($f: Filter) { search(filter: $f) { hits(filter: $f) } }' },
    {
      name: 'a null variable',
      query: 'query ($f: Filter) { search(filter: $f) { hits(filter: $f) } }',
      variables: { f: null },
    },
    {
      name: 'variables inside the object',
      query:
        'query ($w: String, $o: Order!) { search(filter: { word: $w }, sort: $o) { rank(by: $o) hits(filter: { min: null, nested: { on: true, list: [$o, ASC] } }) } }',
      variables: { w: 'e', o: 'DESC' },
    },
    {
      name: 'arguments of a shared field',
      query: '{ doc(id: "1") { text(max: 3) all: text rank(by: ASC) } }',
    },
    {
      name: 'what the client can give',
      anyOrder: true,
      query:
        '{ a: __type(name: "Filter") { inputFields { name defaultValue } } b: __type(name: "Doc") { fields { name args { name } } } c: __type(name: "Order") { enumValues { name } } }',
    },
    {
      name: 'fragments',
      query:
        'query ($f: Filter) { search { ...D ... on Doc { rank(by: DESC) } } } fragment D on Doc { hits(filter: $f) }',
      variables: { f: { min: 3 } },
    },
    {
      name: 'conditions beside variables of input types',
      query:
        'query ($f: Filter!, $c: Boolean!) { search(filter: $f) { hits(filter: $f) @include(if: $c) id rank(by: ASC) @skip(if: $c) } }',
      variables: { f: { word: 'e' }, c: false },
    },
    {
      name: 'a non-null error with an input object',
      query:
        'query ($m: Int) { doc(id: "2") { id strict(filter: { min: $m, nested: { on: false } }) } other: doc(id: "1") { strict(filter: {}) } }',
      variables: { m: 4 },
      errors: 'exact',
    },
  ],
}
