import { FED2, find, type Row, type Suite, type Tables } from '../harness/suite.ts'

/**
 * Interface objects together with overrides, provided fields, requirements of single types and other
 * interface objects.
 */
export const interfaceObjectMixtures: Suite = {
  name: 'interface objects mixed with everything',
  monolith: `
    type Query { boats: [Boat!]! trips: [Trip] sail: Sail logs: [[Boat]] }
    interface Boat { id: ID! name: String price: Int length: Int berth: Berth label: String mate: Boat }
    type Sail implements Boat { id: ID! name: String price: Int length: Int berth: Berth label: String mate: Boat masts: Int! discount: Int }
    type Motor implements Boat { id: ID! name: String price: Int length: Int berth: Berth label: String mate: Boat power: Int }
    type Trip { no: ID! boat: Boat boats: [Boat!] }
    type Berth { no: Int! pier: String depth: Int }
  `,
  tables: () => {
    const berth = { __typename: 'Berth', no: 4, pier: 'north', depth: new Error('no depth') }
    return {
      Sail: [
        {
          __typename: 'Sail',
          id: 's1',
          name: 'Anna',
          label: 'A',
          price: 100,
          length: 9,
          berth,
          mate: 'm1',
          masts: 2,
        },
        {
          __typename: 'Sail',
          id: 's2',
          name: null,
          label: new Error('no label'),
          price: null,
          length: null,
          berth: null,
          mate: null,
          masts: new Error('no masts'),
        },
      ],
      Motor: [
        {
          __typename: 'Motor',
          id: 'm1',
          name: 'Bolt',
          label: null,
          price: 200,
          length: 7,
          berth,
          mate: 's1',
          power: 80,
        },
      ],
      Trip: [
        { __typename: 'Trip', no: 't1', boat: 's1', boats: ['m1', 's1'] },
        { __typename: 'Trip', no: 't2', boat: 's2', boats: null },
      ],
    }
  },
  fields: {
    'Query.boats': (_row, _args, tables) => [tables['Motor']?.[0], ...(tables['Sail'] ?? [])],
    'Query.sail': (_row, _args, tables) => tables['Sail']?.[0],
    'Query.logs': (_row, _args, tables) => [[tables['Sail']?.[0], null], null, [tables['Motor']?.[0]]],
    'Query.trips': (_row, _args, { Trip = [] }) => [Trip[0], null, Trip[1]],
    'Trip.boat': (row, _args, tables) => findBoat(tables, row['boat']),
    'Trip.boats': (row, _args, tables) =>
      Array.isArray(row['boats']) ? row['boats'].map((id) => findBoat(tables, id)) : null,
    'Sail.mate': (row, _args, tables) => find(tables['Motor'], 'id', row['mate']),
    'Motor.mate': (row, _args, tables) => find(tables['Sail'], 'id', row['mate']),
  },
  computed: {
    'Sail.discount': {
      compute: ({ price, length }) => (price === null ? null : Number(price) - Number(length)),
    },
  },
  subgraphs: {
    yard: {
      sdl: `${FED2}
        type Query { boats: [Boat!]! }
        interface Boat @key(fields: "id") { id: ID! name: String length: Int mate: Boat }
        type Sail implements Boat @key(fields: "id") { id: ID! name: String length: Int mate: Boat }
        type Motor implements Boat @key(fields: "id") { id: ID! name: String length: Int mate: Boat power: Int }`,
    },
    prices: {
      sdl: `${FED2}
        type Query { trips: [Trip] @provides(fields: "boat { label }") logs: [[Boat]] }
        type Trip @key(fields: "no") { no: ID! boat: Boat boats: [Boat!] }
        type Boat @interfaceObject @key(fields: "id") { id: ID! price: Int label: String @external }`,
    },
    harbour: {
      sdl: `${FED2}
        type Boat @interfaceObject @key(fields: "id") { id: ID! berth: Berth label: String @shareable }
        type Berth { no: Int! pier: String depth: Int }`,
    },
    rig: {
      sdl: `${FED2}
        type Query { sail: Sail }
        type Sail @key(fields: "id") { id: ID! masts: Int! price: Int @external length: Int @external discount: Int @requires(fields: "price length") }`,
    },
  },
  operations: [
    { name: 'fields of three subgraphs', query: '{ boats { name price berth { no pier } } }' },
    {
      name: 'a provided field of an interface object',
      query: '{ trips { no boat { id label } } }',
      errors: 'exact',
    },
    {
      name: 'beside a provided field of an interface object',
      query: '{ trips { boat { label berth { pier no } name } } }',
      errors: 'exact',
    },
    { name: 'the same where it is not provided', query: '{ trips { boats { label price } } }' },
    { name: 'a type requires what an interface object has', query: '{ sail { masts discount } }' },
    {
      name: 'the same through the interface',
      query: '{ boats { id ... on Sail { discount } ... on Motor { power } } }',
    },
    {
      name: 'the same from an interface object',
      query: '{ trips { boat { ... on Sail { discount price } length } } }',
    },
    { name: 'lists of lists of interface objects', query: '{ logs { price name ... on Motor { power } } }' },
    {
      name: 'mates of mates',
      query: '{ sail { mate { price mate { length ... on Sail { discount mate { id } } } } } }',
    },
    {
      name: 'aliases',
      query: '{ trips { no: boat { price: id id: price name: __typename a: berth { no: pier } } boat: no } }',
    },
    {
      name: 'fragments',
      query:
        '{ logs { ...B } boats { ...B } } fragment B on Boat { ... on Sail { discount } berth { ...P } } fragment P on Berth { pier }',
    },
    {
      name: 'conditions',
      query:
        'query ($d: Boolean!) { trips { boat { id price @skip(if: $d) ... on Sail @include(if: $d) { discount } berth @include(if: $d) { no } } } }',
      variables: { d: false },
    },
    {
      name: 'an error in a value of an interface object',
      query: '{ sail { berth { no depth } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error of a type behind an interface object',
      query: '{ trips { no boat { id ... on Sail { masts } } } }',
      errors: 'exact',
    },
  ],
}

function findBoat(tables: Tables, id: unknown): Row | null {
  return find(tables['Sail'], 'id', id) ?? find(tables['Motor'], 'id', id)
}
