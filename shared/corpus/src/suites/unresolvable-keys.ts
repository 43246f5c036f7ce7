import { FED2, find, type Suite } from '../harness/suite.ts'

/** References that point one way: the subgraph emits the key and cannot be entered by it. */
export const unresolvableKeys: Suite = {
  name: 'resolvable false',
  monolith: `
    type Query { trips: [Trip!]! city(code: String!): City stations: [Station!]! }
    type Trip { id: ID! from: City to: City note: String }
    type City { code: String! name: String people: Int mayor: Mayor stations: [Station!] }
    type Mayor { ssn: ID! name: String city: City }
    type Station { slug: String! number: Int! lines: Int cleanliness: Int city: City }
  `,
  tables: () => {
    return {
      City: [
        { __typename: 'City', code: 'OSL', name: 'Oslo', people: 700, mayor: 'x' },
        { __typename: 'City', code: 'BGO', name: 'Bergen', people: 280, mayor: null },
      ],
      Mayor: [{ __typename: 'Mayor', ssn: 'x', name: 'May', city: 'OSL' }],
      Station: [
        { __typename: 'Station', slug: 'oslo-s', number: 1, lines: 9, cleanliness: 4, city: 'OSL' },
        { __typename: 'Station', slug: 'bergen', number: 2, lines: 2, cleanliness: 5, city: 'BGO' },
      ],
      Trip: [
        { __typename: 'Trip', id: 't1', from: 'OSL', to: 'BGO', note: 'train' },
        { __typename: 'Trip', id: 't2', from: 'BGO', to: null, note: null },
      ],
    }
  },
  fields: {
    'Query.trips': (_row, _args, tables) => tables['Trip'],
    'Query.city': (_row, args, tables) => find(tables['City'], 'code', args['code']),
    'Query.stations': (_row, _args, tables) => tables['Station'],
    'Trip.from': (row, _args, tables) => find(tables['City'], 'code', row['from']),
    'Trip.to': (row, _args, tables) => find(tables['City'], 'code', row['to']),
    'City.mayor': (row, _args, tables) => find(tables['Mayor'], 'ssn', row['mayor']),
    'City.stations': (row, _args, tables) => tables['Station']?.filter(({ city }) => city === row['code']),
    'Mayor.city': (row, _args, tables) => find(tables['City'], 'code', row['city']),
    'Station.city': (row, _args, tables) => find(tables['City'], 'code', row['city']),
  },
  subgraphs: {
    trips: {
      sdl: `${FED2}
        type Query { trips: [Trip!]! }
        type Trip @key(fields: "id") { id: ID! from: City to: City note: String }
        type City @key(fields: "code", resolvable: false) { code: String! }`,
    },
    cities: {
      sdl: `${FED2}
        type Query { city(code: String!): City }
        type City @key(fields: "code") { code: String! name: String mayor: Mayor }
        type Mayor @key(fields: "ssn", resolvable: false) { ssn: ID! }`,
    },
    census: {
      sdl: `${FED2}
        type City @key(fields: "code") { code: String! people: Int }
        type Mayor @key(fields: "ssn") { ssn: ID! name: String city: City }`,
    },
    rail: {
      sdl: `${FED2}
        type Query { stations: [Station!]! }
        type Station @key(fields: "slug") @key(fields: "number", resolvable: false) { slug: String! number: Int! lines: Int city: City }
        type City @key(fields: "code") { code: String! stations: [Station!] }`,
    },
    cleaning: { sdl: `${FED2} type Station @key(fields: "number") { number: Int! cleanliness: Int }` },
  },
  operations: [
    { name: 'the key alone needs nobody else', query: '{ trips { from { code } to { code } } }' },
    { name: 'beyond the key', query: '{ trips { note from { code name people } } }' },
    { name: 'a chain of references', query: '{ trips { from { mayor { name city { name } } } } }' },
    { name: 'a key that only leads out', query: '{ stations { slug cleanliness } }' },
    { name: 'both kinds of keys', query: '{ stations { number lines cleanliness city { people } } }' },
    {
      name: 'around the circle',
      query: '{ city(code: "OSL") { stations { cleanliness city { stations { lines } mayor { ssn } } } } }',
    },
    {
      name: 'null references',
      query: '{ trips { to { name stations { number } } } city(code: "none") { people } }',
    },
    { name: 'the reference type name', query: '{ trips { from { __typename } } }' },
  ],
}
