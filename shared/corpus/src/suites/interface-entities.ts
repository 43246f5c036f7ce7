import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Interfaces that are entities themselves in several subgraphs, with types that have keys of their own beside
 * the common one.
 */
export const interfaceEntities: Suite = {
  name: 'interfaces with keys',
  monolith: `
    type Query { works: [Work] work(id: ID!): Work loans: [Loan!]! poem: Poem }
    interface Work { id: ID! title: String year: Int heirs: [Heir] loaned: Int! }
    type Novel implements Work { id: ID! title: String year: Int heirs: [Heir] loaned: Int! isbn: String! pages: Int price: Int }
    type Poem implements Work { id: ID! title: String year: Int heirs: [Heir] loaned: Int! no: Int! verses: [[String]] }
    type Heir { name: String! share: Float works: [Work!] }
    type Loan { day: Int! work: Work by: Heir }
  `,
  tables: () => ({
    Novel: [
      {
        __typename: 'Novel',
        id: 'n1',
        title: 'Sult',
        year: 1890,
        heirs: ['h1', null],
        loaned: 3,
        isbn: 'i1',
        pages: 200,
        price: 99,
      },
      {
        __typename: 'Novel',
        id: 'n2',
        title: null,
        year: null,
        heirs: null,
        loaned: new Error('not counted'),
        isbn: 'i2',
        pages: new Error('no pages'),
        price: null,
      },
    ],
    Poem: [
      {
        __typename: 'Poem',
        id: 'p1',
        title: 'Terje',
        year: 1862,
        heirs: ['h2', 'h1'],
        loaned: 0,
        no: 7,
        verses: [['a', null], [], null],
      },
    ],
    Heir: [
      { __typename: 'Heir', name: 'Ada', share: 0.5, works: ['p1', 'n1'] },
      { __typename: 'Heir', name: 'Bo', share: null, works: ['p1', 'n2'] },
    ],
  }),
  fields: {
    'Query.works': (_row, _args, tables) => [tables['Poem']?.[0], null, tables['Novel']?.[0]],
    'Query.work': (_row, { id }, tables) => work(id, tables),
    'Query.loans': (_row, _args, tables) => [
      { __typename: 'Loan', day: 1, work: tables['Novel']?.[1], by: tables['Heir']?.[0] },
      { __typename: 'Loan', day: 2, work: null, by: null },
      { __typename: 'Loan', day: 3, work: tables['Poem']?.[0], by: tables['Heir']?.[1] },
    ],
    'Query.poem': (_row, _args, tables) => tables['Poem']?.[0],
    'Novel.heirs': (row, _args, tables) =>
      (row['heirs'] as unknown[] | null)?.map((id) => heir(id, tables)) ?? null,
    'Poem.heirs': (row, _args, tables) => (row['heirs'] as unknown[]).map((id) => heir(id, tables)),
    'Heir.works': (row, _args, tables) => (row['works'] as unknown[]).map((id) => work(id, tables)),
  },
  subgraphs: {
    titles: {
      sdl: `${FED2}
        type Query { works: [Work] work(id: ID!): Work }
        interface Work @key(fields: "id") { id: ID! title: String }
        type Novel implements Work @key(fields: "id") @key(fields: "isbn") { id: ID! title: String isbn: String! }
        type Poem implements Work @key(fields: "id") @key(fields: "no") { id: ID! title: String no: Int! }`,
    },
    years: {
      sdl: `${FED2}
        interface Work @key(fields: "id") { id: ID! year: Int loaned: Int! }
        type Novel implements Work @key(fields: "id") { id: ID! year: Int loaned: Int! }
        type Poem implements Work @key(fields: "id") { id: ID! year: Int loaned: Int! }`,
    },
    estates: {
      sdl: `${FED2}
        type Query { loans: [Loan!]! }
        type Work @interfaceObject @key(fields: "id") { id: ID! heirs: [Heir] }
        type Heir @key(fields: "name") { name: String! share: Float works: [Work!] }
        type Loan { day: Int! work: Work by: Heir }`,
      fields: {
        'Work.heirs': (row, _args, tables) => {
          const heirs = row['heirs'] as unknown[] | null
          return heirs === null ? null : heirs.map((name) => heir(name, tables))
        },
      },
    },
    print: { sdl: `${FED2} type Novel @key(fields: "isbn") { isbn: String! pages: Int price: Int }` },
    lyrics: {
      sdl: `${FED2} type Query { poem: Poem } type Poem @key(fields: "no") { no: Int! verses: [[String]] }`,
    },
  },
  operations: [
    { name: 'fields of both interfaces', query: '{ works { id title year } }' },
    { name: 'from an interface object to either', query: '{ loans { work { title } } }' },
    { name: 'from an interface object to both', query: '{ loans { day work { title year id } } }' },
    {
      name: 'types by keys of their own',
      query: '{ work(id: "n1") { title ... on Novel { pages price } ... on Poem { verses } } }',
    },
    {
      name: 'from an interface object to a type by its own key',
      query: '{ loans { work { ... on Poem { verses } ... on Novel { price } } } }',
    },
    {
      name: 'a concrete root with a key that the interface does not have',
      query: '{ poem { no year heirs { name } title } }',
    },
    {
      name: 'there and back through heirs',
      query: '{ poem { heirs { works { year ... on Novel { price heirs { share } } } } } }',
    },
    {
      name: 'aliases',
      query: '{ works { title: id id: title no: year year: __typename h: heirs { share: name } } }',
    },
    {
      name: 'fragments',
      query:
        '{ loans { work { ...W } by { works { ...W } } } } fragment W on Work { ... on Novel { isbn } ... on Work { year ...T } } fragment T on Work { title }',
    },
    {
      name: 'conditions',
      query:
        'query ($y: Boolean!) { loans { work { id year @include(if: $y) title @skip(if: $y) ... on Poem @include(if: $y) { no } } } }',
      variables: { y: true },
    },
    {
      name: 'a non-null error behind an interface object',
      query: '{ loans { day work { id loaned } } }',
      errors: 'exact',
    },
    {
      name: 'an error of one type by its own key',
      query: '{ loans { work { id ... on Novel { isbn pages } } } }',
      errors: 'exact',
    },
    {
      name: 'type names and nothing else',
      query: '{ loans { __typename work { __typename } by { works { __typename } } } }',
    },
  ],
}

type Tables = Parameters<NonNullable<Suite['fields']>[string]>[2]

function work(id: unknown, tables: Tables) {
  return find(tables['Novel'], 'id', id) ?? find(tables['Poem'], 'id', id)
}

function heir(id: unknown, tables: Tables) {
  return id === null ? null : find(tables['Heir'], 'name', id === 'h1' || id === 'Ada' ? 'Ada' : 'Bo')
}
