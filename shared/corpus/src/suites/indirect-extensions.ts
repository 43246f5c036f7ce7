import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * Roots that know the interface as one object; the true types, and what a third subgraph adds to them, lie
 * behind it.
 */
export const indirectExtensions: Suite = {
  name: 'types extended behind an interface object',
  monolith: `
    type Query { ride: Vehicle rides: [Vehicle] fleet: [Vehicle!]! bus(id: ID!): Bus }
    interface Vehicle { id: ID! plate: String fee: Int zone: Zone }
    type Bus implements Vehicle { id: ID! plate: String fee: Int zone: Zone doors: Int seats: Int line: String! fare: Int }
    type Ferry implements Vehicle { id: ID! plate: String fee: Int zone: Zone knots: Int line: String }
    type Zone { code: ID! name: String vehicles: [Vehicle] }
  `,
  tables: () => ({
    Bus: [
      { __typename: 'Bus', id: 'b1', plate: 'B1', fee: 10, zone: 'z1', doors: 2, line: '5' },
      {
        __typename: 'Bus',
        id: 'b2',
        plate: null,
        fee: null,
        zone: null,
        doors: null,
        seats: new Error('no seats'),
        line: new Error('no line'),
      },
    ],
    Ferry: [{ __typename: 'Ferry', id: 'f1', plate: 'F1', fee: 30, zone: 'z1', knots: 12, line: null }],
    Zone: [{ __typename: 'Zone', code: 'z1', name: 'inner', vehicles: ['f1', 'b2', 'b1'] }],
  }),
  fields: {
    'Query.ride': (_row, _args, tables) => tables['Bus']?.[0],
    'Query.rides': (_row, _args, tables) => [tables['Ferry']?.[0], null, tables['Bus']?.[0]],
    'Query.fleet': (_row, _args, tables) => [...(tables['Bus'] ?? []), ...(tables['Ferry'] ?? [])],
    'Query.bus': (_row, { id }, tables) => find(tables['Bus'], 'id', id),
    'Vehicle.zone': (row, _args, tables) => find(tables['Zone'], 'code', row['zone']),
    'Bus.zone': (row, _args, tables) => find(tables['Zone'], 'code', row['zone']),
    'Ferry.zone': (row, _args, tables) => find(tables['Zone'], 'code', row['zone']),
    'Zone.vehicles': (row, _args, tables) =>
      (row['vehicles'] as unknown[]).map(
        (id) => find(tables['Bus'], 'id', id) ?? find(tables['Ferry'], 'id', id),
      ),
  },
  subgraphs: {
    tickets: {
      sdl: `${FED2}
        type Query { ride: Vehicle rides: [Vehicle] }
        type Vehicle @interfaceObject @key(fields: "id") { id: ID! fee: Int }`,
    },
    zones: {
      sdl: `${FED2}
        type Vehicle @interfaceObject @key(fields: "id") { id: ID! zone: Zone }
        type Zone @key(fields: "code") { code: ID! name: String vehicles: [Vehicle] }`,
    },
    registry: {
      sdl: `${FED2}
        type Query { fleet: [Vehicle!]! }
        interface Vehicle @key(fields: "id") { id: ID! plate: String }
        type Bus implements Vehicle @key(fields: "id") { id: ID! plate: String }
        type Ferry implements Vehicle @key(fields: "id") { id: ID! plate: String knots: Int }`,
    },
    lines: {
      sdl: `${FED2}
        type Query { bus(id: ID!): Bus }
        type Bus @key(fields: "id") { id: ID! doors: Int seats: Int line: String! }
        type Ferry @key(fields: "id") { id: ID! line: String }`,
    },
    fares: {
      sdl: `${FED2} type Bus @key(fields: "id") { id: ID! doors: Int @external fare: Int @requires(fields: "doors") }`,
    },
  },
  computed: {
    'Bus.fare': { compute: ({ doors }) => Number(doors) * 5 },
  },
  operations: [
    { name: 'what the interface object has', query: '{ ride { id fee } }' },
    { name: 'the true type', query: '{ ride { __typename } rides { __typename id } }' },
    { name: 'a field of the third subgraph', query: '{ ride { ... on Bus { doors line } } }' },
    {
      name: 'a requirement in the fourth',
      query: '{ rides { id ... on Bus { fare } ... on Ferry { line } } }',
    },
    {
      name: 'from one interface object through another',
      query: '{ ride { zone { name vehicles { fee plate ... on Ferry { knots line } } } } }',
    },
    {
      name: 'a concrete root that does not know the interface',
      query: '{ bus(id: "b1") { fee zone { code } plate doors ... on Vehicle { fee } } }',
    },
    {
      name: 'fragments on the interface inside fragments on types',
      query:
        '{ rides { ... on Bus { ... on Vehicle { plate zone { code } } } ...V } } fragment V on Vehicle { ... on Ferry { fee } }',
    },
    {
      name: 'aliases that exchange key and field names',
      query: '{ rides { fee: id id: fee __typename2: plate t: __typename ... on Bus { plate: line } } }',
    },
    {
      name: 'conditions on what needs the true type',
      query:
        'query ($t: Boolean!) { rides { fee __typename @include(if: $t) ... on Bus @include(if: $t) { doors } } }',
      variables: { t: false },
    },
    {
      name: 'the same with the true type',
      query:
        'query ($t: Boolean!) { rides { fee __typename @include(if: $t) ... on Bus @include(if: $t) { doors } } }',
      variables: { t: true },
    },
    {
      name: 'errors in fields of the true type',
      query: '{ ride { zone { vehicles { id ... on Bus { doors seats } } } } }',
      errors: 'exact',
    },
    {
      name: 'a non-null error of a type takes the interface object along',
      query: '{ ride { zone { vehicles { fee ... on Bus { line } } } } fleet { fee } }',
      errors: 'exact',
    },
    { name: 'only a fragment on one type', query: '{ rides { ... on Ferry { knots } } }' },
  ],
}
