import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Types that implement an interface in one subgraph only, and interface fields that a type gets from
 * elsewhere.
 */
export const interfaceParts: Suite = {
  name: 'interfaces implemented in parts',
  monolith: `
    type Query { shapes: [Shape!]! circle(id: ID!): Circle square: Square drawing: Drawing }
    interface Shape { id: ID! area: Float colour: Colour }
    type Circle implements Shape { id: ID! area: Float colour: Colour radius: Int }
    type Square implements Shape { id: ID! area: Float colour: Colour side: Int }
    type Colour { name: String! hex: String }
    type Drawing { title: String shapes: [Shape!] main: Shape }
  `,
  tables: () => {
    const red = { __typename: 'Colour', name: 'red', hex: '#f00' }
    return {
      Colour: [red],
      Circle: [
        { __typename: 'Circle', id: 'c1', area: 3.5, colour: red, radius: 1 },
        { __typename: 'Circle', id: 'c2', area: 12, colour: null, radius: 2 },
      ],
      Square: [{ __typename: 'Square', id: 's1', area: 4, colour: red, side: 2 }],
    }
  },
  fields: {
    'Query.shapes': (_row, _args, tables) => [
      tables['Circle']?.[0],
      tables['Square']?.[0],
      tables['Circle']?.[1],
    ],
    'Query.circle': (_row, args, tables) => find(tables['Circle'], 'id', args['id']),
    'Query.square': (_row, _args, tables) => tables['Square']?.[0],
    'Query.drawing': (_row, _args, tables) => ({
      __typename: 'Drawing',
      title: 'study',
      shapes: [tables['Square']?.[0], tables['Circle']?.[0]],
      main: tables['Circle']?.[1],
    }),
  },
  subgraphs: {
    forms: {
      sdl: `${FED2}
        type Query { shapes: [Shape!]! drawing: Drawing }
        interface Shape { id: ID! colour: Colour }
        type Circle implements Shape @key(fields: "id") { id: ID! colour: Colour radius: Int }
        type Square implements Shape @key(fields: "id") { id: ID! colour: Colour }
        type Colour @key(fields: "name") { name: String! }
        type Drawing { title: String shapes: [Shape!] main: Shape }`,
    },
    maths: {
      sdl: `${FED2}
        type Query { circle(id: ID!): Circle square: Square }
        interface Shape { id: ID! area: Float }
        type Circle @key(fields: "id") { id: ID! area: Float }
        type Square implements Shape @key(fields: "id") { id: ID! area: Float side: Int }`,
    },
    paint: { sdl: `${FED2} type Colour @key(fields: "name") { name: String! hex: String }` },
  },
  operations: [
    {
      name: 'an interface field from a subgraph where one type does not implement it',
      query: '{ shapes { id area } }',
    },
    {
      name: 'an interface condition on an object that does not implement it there',
      query: '{ circle(id: "c1") { ... on Shape { area id } } }',
    },
    {
      name: 'the same with fields of the other side',
      query: '{ circle(id: "c2") { ... on Shape { area colour { hex name } } radius } }',
    },
    {
      name: 'inside another value',
      query: '{ drawing { main { area colour { hex } } shapes { area ... on Square { side } } title } }',
    },
    {
      name: 'an object whose condition holds in both',
      query: '{ square { ... on Shape { area colour { name } } side } }',
    },
    {
      name: 'conditions nested the wrong way round',
      query: '{ shapes { ... on Circle { ... on Shape { ... on Circle { radius area } } } } }',
    },
    {
      name: 'an impossible condition',
      query: '{ circle(id: "c1") { id ... on Shape { ... on Square { side } } } }',
    },
    { name: 'nothing found', query: '{ circle(id: "none") { ... on Shape { area } radius } }' },
  ],
}
