import { FED2, find, type Suite } from '../harness/suite.ts'

/** A parcel's postage is computed from what other subgraphs know about it. */
export const requires: Suite = {
  name: 'requires',
  monolith: `
    type Query { parcels: [Parcel!]! parcel(id: ID!): Parcel dispatched: [Parcel] }
    type Parcel {
      id: ID! weight: Int size: Size fragile: Boolean
      postage: Int label: String! band: String discount(percent: Int! = 10): Int
      carrier: Carrier
    }
    type Size { length: Int! width: Int! unit: Unit! }
    type Unit { name: String! factor: Int }
    type Carrier { id: ID! name: String vans: Int surcharge: Int }
  `,
  tables: () => {
    const cm = { __typename: 'Unit', name: 'cm', factor: 1 }
    const inch = { __typename: 'Unit', name: 'in', factor: 3 }
    return {
      Parcel: [
        {
          __typename: 'Parcel',
          id: '1',
          weight: 5,
          size: { __typename: 'Size', length: 2, width: 3, unit: cm },
          fragile: true,
          carrier: 'c1',
        },
        { __typename: 'Parcel', id: '2', weight: null, size: null, fragile: false, carrier: 'c2' },
        {
          __typename: 'Parcel',
          id: '3',
          weight: 9,
          size: { __typename: 'Size', length: 4, width: 1, unit: inch },
          fragile: null,
          carrier: null,
        },
      ],
      Carrier: [
        { __typename: 'Carrier', id: 'c1', name: 'Swift', vans: 3 },
        { __typename: 'Carrier', id: 'c2', name: 'Slow', vans: 12 },
      ],
    }
  },
  fields: {
    'Query.parcels': (_row, _args, tables) => tables['Parcel'],
    'Query.parcel': (_row, args, tables) => find(tables['Parcel'], 'id', args['id']),
    'Query.dispatched': (_row, _args, tables) => [tables['Parcel']?.[2], null, tables['Parcel']?.[0]],
    'Parcel.carrier': (row, _args, tables) => find(tables['Carrier'], 'id', row['carrier']),
  },
  computed: {
    'Parcel.postage': {
      compute: ({ weight, fragile }) =>
        weight === null ? null : Number(weight) * 2 + (fragile === true ? 100 : 0),
    },
    'Parcel.label': {
      compute: (inputs) => {
        const size = inputs['size'] as null | { length: number; unit: { name: string } }
        return size === null ? 'unmeasured' : `${size.length} ${size.unit.name}`
      },
    },
    'Parcel.band': {
      compute: ({ weight }) => (weight === null ? null : Number(weight) > 6 ? 'heavy' : 'light'),
    },
    'Parcel.discount': {
      compute: ({ weight }, { percent }) =>
        weight === null ? null : (Number(weight) * Number(percent)) / 10,
    },
    'Carrier.surcharge': { compute: ({ vans }) => Number(vans) * 7 },
  },
  subgraphs: {
    desk: {
      sdl: `${FED2}
        type Query { parcels: [Parcel!]! parcel(id: ID!): Parcel }
        type Parcel @key(fields: "id") { id: ID! fragile: Boolean carrier: Carrier }
        type Carrier @key(fields: "id") { id: ID! name: String }`,
    },
    scale: {
      sdl: `${FED2}
        type Query { dispatched: [Parcel] }
        type Parcel @key(fields: "id") { id: ID! weight: Int size: Size }
        type Size { length: Int! width: Int! unit: Unit! }
        type Unit { name: String! factor: Int }`,
    },
    post: {
      sdl: `${FED2}
        type Parcel @key(fields: "id") {
          id: ID!
          weight: Int @external
          fragile: Boolean @external
          size: Size @external
          postage: Int @requires(fields: "weight fragile")
          label: String! @requires(fields: "size { length unit { name } }")
          band: String @requires(fields: "weight")
          discount(percent: Int! = 10): Int @requires(fields: "weight")
        }
        type Size @external { length: Int! unit: Unit! }
        type Unit @external { name: String! }
        type Carrier @key(fields: "id") { id: ID! vans: Int @external surcharge: Int @requires(fields: "vans") }`,
    },
    garage: { sdl: `${FED2} type Carrier @key(fields: "id") { id: ID! vans: Int }` },
  },
  operations: [
    { name: 'inputs from two subgraphs, none selected', query: '{ parcels { postage } }' },
    { name: 'inputs the client selects as well', query: '{ parcels { postage weight fragile } }' },
    {
      name: 'inputs the client selects under other names',
      query: '{ parcels { fragile: weight weight: fragile postage } }',
    },
    { name: 'nested inputs', query: '{ parcels { id label } }' },
    {
      name: 'nested inputs next to other children of the same object',
      query: '{ parcels { size { width unit { factor } } label } }',
    },
    {
      name: 'several requires fields with overlapping inputs',
      query: '{ parcels { postage band label discount } }',
    },
    { name: 'from the subgraph that has some of the inputs', query: '{ dispatched { id postage band } }' },
    {
      name: 'arguments of the field itself',
      query:
        'query ($p: Int!) { parcel(id: "1") { a: discount(percent: $p) b: discount(percent: 50) c: discount } }',
      variables: { p: 20 },
    },
    {
      name: 'an entity below the one that requires',
      query: '{ parcels { postage carrier { surcharge name } } }',
    },
    {
      name: 'an input that is null',
      query: '{ parcel(id: "2") { postage label band carrier { vans surcharge } } }',
    },
    { name: 'nothing found', query: '{ parcel(id: "9") { postage label } }' },
  ],
}
