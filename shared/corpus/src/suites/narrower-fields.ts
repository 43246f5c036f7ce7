import { FED2, find, type Row, type Suite } from '../harness/suite.ts'

const next = (row: Row, _args: unknown, tables: Readonly<Record<string, readonly Row[]>>) =>
  Array.isArray(row['next'])
    ? row['next'].map((id) => find(tables['Lake'], 'id', id) ?? find(tables['Weir'], 'id', id))
    : row['next']

/** Fields of an interface that one of its types promises non-null, in one subgraph or for everyone. */
export const narrowerFields: Suite = {
  name: 'fields narrower in one type',
  monolith: `
    type Query { source: Water waters: [Water!]! }
    interface Water { id: ID! name: String next: [Water] depth: Int }
    type Lake implements Water { id: ID! name: String next: [Water] depth: Int area: Int }
    type Weir implements Water { id: ID! name: String! next: [Water] depth: Int height: Int! }
  `,
  tables: () => ({
    Lake: [
      { __typename: 'Lake', id: 'l1', name: null, next: ['w1', 'l2'], depth: 9, area: 30 },
      { __typename: 'Lake', id: 'l2', name: 'Low', next: null, depth: new Error('no depth'), area: null },
    ],
    Weir: [
      { __typename: 'Weir', id: 'w1', name: 'Old', next: ['l2', 'w2'], depth: 2, height: 3 },
      {
        __typename: 'Weir',
        id: 'w2',
        name: new Error('no name'),
        next: [],
        depth: 1,
        height: new Error('no height'),
      },
    ],
  }),
  fields: {
    'Query.source': (_row, _args, tables) => tables['Lake']?.[0],
    'Query.waters': (_row, _args, tables) => [...(tables['Lake'] ?? []), ...(tables['Weir'] ?? [])],
    'Lake.next': next,
    'Weir.next': next,
  },
  subgraphs: {
    maps: {
      sdl: `${FED2}
        type Query { source: Water waters: [Water!]! }
        interface Water { id: ID! name: String next: [Water] }
        type Lake implements Water @key(fields: "id") { id: ID! name: String next: [Water] @shareable }
        type Weir implements Water @key(fields: "id") { id: ID! name: String! next: [Water]! @shareable height: Int! }`,
    },
    surveys: {
      sdl: `${FED2}
        interface Water { id: ID! next: [Water] depth: Int }
        type Lake implements Water @key(fields: "id") { id: ID! next: [Water] @shareable depth: Int area: Int }
        type Weir implements Water @key(fields: "id") { id: ID! next: [Water] @shareable depth: Int }`,
    },
  },
  operations: [
    {
      name: 'through many levels',
      query: '{ source { next { next { next { next { next { __typename } } } } } } }',
    },
    {
      name: 'with a leaf at each level',
      query: '{ source { id name next { id next { id next { id } } } } }',
    },
    { name: 'with a failing leaf', query: '{ waters { id name } }', errors: 'exact' },
    {
      name: 'with fields of another subgraph below',
      query: '{ source { next { depth next { depth ... on Lake { area } } } } }',
      errors: 'exact',
    },
    {
      name: 'of one type only',
      query: '{ source { next { ... on Weir { name next { id } } } } }',
    },
    {
      name: 'with other fields below it for each type',
      query:
        '{ waters { id ... on Lake { next { id ... on Weir { height } } } ... on Weir { next { id } } } }',
    },
    {
      name: 'with other fields below it for each type, one of which fails',
      query:
        '{ waters { id ... on Lake { next { id } } ... on Weir { next { id ... on Weir { height } } } } }',
      errors: 'exact',
    },
    {
      name: 'aliased, in fragments and under conditions',
      query:
        'query ($go: Boolean!) { source { ...W more: next @include(if: $go) { ...W } } } fragment W on Water { id next { id next { id n: next { id } } } }',
      variables: { go: true },
    },
  ],
}
