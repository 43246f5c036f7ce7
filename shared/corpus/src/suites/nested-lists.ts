import { FED2, findAll, type Suite } from '../harness/suite.ts'

/** Lists of lists of entities, with holes at every level. */
export const nestedLists: Suite = {
  name: 'lists of lists',
  monolith: `
    type Query { board: Board boards: [Board] cube: [[[Cell!]]] words: [[String]!] empty: [[Cell]] }
    type Board { id: ID! cells: [[Cell]!]! rows: [Row] }
    type Row { cells: [[Cell!]!] numbers: [[Int]] }
    type Cell { id: ID! mark: String heat: Int neighbours: [[Cell!]] summary: String }
  `,
  tables: () => ({
    Cell: [
      { __typename: 'Cell', id: 'a', mark: 'x', heat: 1, neighbours: [['b'], []] },
      { __typename: 'Cell', id: 'b', mark: 'o', heat: 2, neighbours: [['a', 'c'], null] },
      { __typename: 'Cell', id: 'c', mark: null, heat: null, neighbours: null },
    ],
    Board: [
      {
        __typename: 'Board',
        id: '1',
        cells: [['a', null, 'b'], [], ['b', 'c']],
        rows: [{ __typename: 'Row', cells: [['a'], ['b', 'a']], numbers: [[1, null], null] }, null],
      },
      { __typename: 'Board', id: '2', cells: [], rows: null },
    ],
  }),
  fields: {
    'Query.board': (_row, _args, tables) => tables['Board']?.[0],
    'Query.boards': (_row, _args, tables) => [tables['Board']?.[1], null, tables['Board']?.[0]],
    'Query.cube': (_row, _args, tables) => [
      [findAll(tables['Cell'], 'id', ['a', 'b']), null],
      null,
      [[], findAll(tables['Cell'], 'id', ['c', 'a'])],
    ],
    'Query.words': () => [['one', null], [], ['two']],
    'Query.empty': () => [[null, null], null, []],
    'Board.cells': (row, _args, tables) =>
      (row['cells'] as string[][]).map((ids) => findAll(tables['Cell'], 'id', ids)),
    'Row.cells': (row, _args, tables) =>
      (row['cells'] as string[][]).map((ids) => findAll(tables['Cell'], 'id', ids)),
    'Cell.neighbours': (row, _args, tables) =>
      (row['neighbours'] as (string[] | null)[] | null)?.map((ids) =>
        ids === null ? null : findAll(tables['Cell'], 'id', ids),
      ),
  },
  computed: { 'Cell.summary': { compute: ({ mark }) => `<${String(mark)}>` } },
  subgraphs: {
    boards: {
      sdl: `${FED2}
        type Query { board: Board boards: [Board] cube: [[[Cell!]]] words: [[String]!] empty: [[Cell]] }
        type Board { id: ID! cells: [[Cell]!]! rows: [Row] }
        type Row { cells: [[Cell!]!] numbers: [[Int]] }
        type Cell @key(fields: "id") { id: ID! mark: String }`,
    },
    heat: {
      sdl: `${FED2}
        type Cell @key(fields: "id") { id: ID! mark: String @external heat: Int neighbours: [[Cell!]] summary: String @requires(fields: "mark") }`,
    },
  },
  operations: [
    { name: 'one subgraph', query: '{ board { cells { id mark } } words }' },
    { name: 'entities two lists deep', query: '{ board { cells { heat } } }' },
    { name: 'entities three lists deep', query: '{ cube { mark heat } }' },
    { name: 'lists in objects in lists', query: '{ boards { id rows { numbers cells { heat id } } } }' },
    {
      name: 'lists of lists of entities inside entities',
      query: '{ board { cells { neighbours { mark heat neighbours { id } } } } }',
    },
    { name: 'requirements inside', query: '{ cube { summary } boards { cells { summary heat } } }' },
    { name: 'nothing but holes', query: '{ empty { heat mark } }' },
    { name: 'aliases of the same lists', query: '{ board { a: cells { heat } b: cells { mark } } }' },
  ],
}
