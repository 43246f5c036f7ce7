import { FED2, find, type Suite } from '../harness/suite.ts'

/** Keys with objects and lists of objects in them, and hops whose key is itself found by hops. */
export const nestedKeys: Suite = {
  name: 'nested keys',
  monolith: `
    type Query { plots: [Plot!]! crates: [Crate!]! survey: Survey }
    type Survey { main: Plot! other: Plot }
    type Plot { grid: Grid! row: Int! owner: String acres: Float soil: Soil }
    type Grid { id: ID! zone: Zone! name: String }
    type Zone { code: String! climate: String }
    type Soil { kind: String! ph: Float }
    type Crate { label: String contents: [Fruit!]! weight: Int insured: Boolean }
    type Fruit { sort: String! grade: Int! sugar: Float }
  `,
  tables: () => {
    const zones = [
      { __typename: 'Zone', code: 'n', climate: 'cold' },
      { __typename: 'Zone', code: 's', climate: 'warm' },
    ]
    const grids = [
      { __typename: 'Grid', id: '7', zone: zones[0], name: 'north seven' },
      { __typename: 'Grid', id: '8', zone: zones[1], name: null },
    ]
    const fruits = [
      { __typename: 'Fruit', sort: 'pear', grade: 1, sugar: 0.1 },
      { __typename: 'Fruit', sort: 'plum', grade: 2, sugar: 0.2 },
      { __typename: 'Fruit', sort: 'plum', grade: 3, sugar: 0.3 },
    ]
    return {
      Zone: zones,
      Grid: grids,
      Fruit: fruits,
      Plot: [
        {
          __typename: 'Plot',
          grid: grids[0],
          row: 1,
          owner: 'Ada',
          acres: 1.5,
          soil: { __typename: 'Soil', kind: 'clay', ph: 6 },
        },
        { __typename: 'Plot', grid: grids[0], row: 2, owner: 'Bo', acres: 2, soil: null },
        {
          __typename: 'Plot',
          grid: grids[1],
          row: 1,
          owner: null,
          acres: 0.25,
          soil: { __typename: 'Soil', kind: 'sand', ph: null },
        },
      ],
      Crate: [
        { __typename: 'Crate', label: 'mixed', contents: [fruits[0], fruits[1]], weight: 12, insured: true },
        { __typename: 'Crate', label: 'plums', contents: [fruits[1], fruits[2]], weight: 9, insured: false },
        { __typename: 'Crate', label: 'empty', contents: [], weight: 1, insured: null },
      ],
    }
  },
  fields: {
    'Query.plots': (_row, _args, tables) => tables['Plot'],
    'Query.crates': (_row, _args, tables) => tables['Crate'],
    'Query.survey': (_row, _args, tables) => ({
      __typename: 'Survey',
      main: tables['Plot']?.[2],
      other: find(tables['Plot'], 'owner', 'Ada'),
    }),
  },
  subgraphs: {
    land: {
      sdl: `${FED2}
        type Query { plots: [Plot!]! survey: Survey }
        type Survey { main: Plot! other: Plot }
        type Plot @key(fields: "grid { id zone { code } } row") { grid: Grid! row: Int! owner: String }
        type Grid @key(fields: "id") { id: ID! zone: Zone! @shareable }
        type Zone { code: String! @shareable }`,
    },
    measures: {
      sdl: `${FED2}
        type Plot @key(fields: "grid { id zone { code } } row") { grid: Grid! row: Int! acres: Float soil: Soil }
        type Grid @key(fields: "id", resolvable: false) { id: ID! zone: Zone! @shareable }
        type Zone { code: String! @shareable }
        type Soil { kind: String! ph: Float }`,
    },
    names: { sdl: `${FED2} type Grid @key(fields: "id") { id: ID! name: String }` },
    weather: { sdl: `${FED2} type Zone @key(fields: "code") { code: String! climate: String }` },
    packing: {
      sdl: `${FED2}
        type Query { crates: [Crate!]! }
        type Crate @key(fields: "contents { sort grade }") { contents: [Fruit!]! label: String }
        type Fruit @key(fields: "sort grade") { sort: String! grade: Int! }`,
    },
    scales: {
      sdl: `${FED2}
        type Crate @key(fields: "contents { sort grade }") { contents: [Fruit!]! weight: Int insured: Boolean }
        type Fruit @key(fields: "sort grade", resolvable: false) { sort: String! grade: Int! }`,
    },
    lab: { sdl: `${FED2} type Fruit @key(fields: "sort grade") { sort: String! grade: Int! sugar: Float }` },
  },
  operations: [
    { name: 'an object inside the key', query: '{ plots { owner acres } }' },
    {
      name: 'the key parts selected in part by the client',
      query: '{ plots { row grid { zone { code } } soil { kind ph } } }',
    },
    { name: 'an entity that is part of a key of another', query: '{ plots { acres grid { name } } }' },
    { name: 'below the nested key', query: '{ plots { grid { zone { climate } } } }' },
    { name: 'a list inside the key', query: '{ crates { label weight insured } }' },
    { name: 'entities of the list in the key', query: '{ crates { weight contents { sugar } } }' },
    { name: 'aliased key parts', query: '{ crates { what: contents { grade: sort sort: grade } weight } }' },
    {
      name: 'single objects',
      query: '{ survey { main { acres soil { ph } } other { acres owner grid { name id } } } }',
    },
    { name: 'only the far side', query: '{ survey { other { soil { kind } } } }' },
  ],
}
