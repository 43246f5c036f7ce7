import { FED2, find, type Suite } from '../harness/suite.ts'

/** Inputs taken with arguments, which may clash with what the client asks of the same field. */
export const requiresArguments: Suite = {
  name: 'requires with arguments',
  monolith: `
    type Query { rooms: [Room!]! room(id: ID!): Room }
    type Room {
      id: ID! temperature(unit: Unit! = C): Int sensors(kind: String): [Sensor!]!
      comfort: String american: String dampness: Int both: String alarm(level: Int!): Int!
    }
    type Sensor { name: String! reading(scale: Int = 1): Int }
    enum Unit { C F }
  `,
  tables: () => ({
    Room: [
      {
        __typename: 'Room',
        id: 'r1',
        celsius: 20,
        sensors: [
          { __typename: 'Sensor', name: 'wet', raw: 4 },
          { __typename: 'Sensor', name: 'dry', raw: 1 },
        ],
      },
      { __typename: 'Room', id: 'r2', celsius: 5, sensors: [{ __typename: 'Sensor', name: 'wet', raw: 9 }] },
      { __typename: 'Room', id: 'r3', celsius: 30, sensors: [] },
    ],
  }),
  fields: {
    'Query.rooms': (_row, _args, tables) => tables['Room'],
    'Query.room': (_row, args, tables) => find(tables['Room'], 'id', args['id']),
    'Room.temperature': (row, { unit }) => temperature(row, unit),
    'Room.sensors': (row, { kind }) =>
      sensors(row).filter(({ name }) => kind === undefined || kind === null || name === kind),
    'Room.alarm': (row, { level }) => {
      if (row['id'] === 'r2') throw new Error('alarm')
      return Number(level) + 1
    },
    'Sensor.reading': (row, { scale }) => Number(row['raw']) * Number(scale),
  },
  computed: {
    'Room.comfort': {
      compute: ({ temperature }) => (Number(temperature) > 18 ? 'warm' : 'cold'),
      inputs: (row) => ({ temperature: temperature(row, 'C') }),
    },
    'Room.american': {
      compute: ({ temperature }) => `${String(temperature)} F`,
      inputs: (row) => ({ temperature: temperature(row, 'F') }),
    },
    'Room.dampness': {
      compute: (inputs) =>
        (inputs['sensors'] as { reading: number }[]).reduce((sum, { reading }) => sum + reading, 0),
      inputs: (row) => ({
        sensors: sensors(row)
          .filter(({ name }) => name === 'wet')
          .map(({ raw }) => ({ reading: raw * 10 })),
      }),
    },
    'Room.both': {
      compute: ({ temperature, comfort }) => `${String(comfort)} at ${String(temperature)}`,
      inputs: (row) => ({
        temperature: temperature(row, 'F'),
        comfort: Number(row['celsius']) > 18 ? 'warm' : 'cold',
      }),
    },
  },
  subgraphs: {
    house: {
      sdl: `${FED2}
        type Query { rooms: [Room!]! room(id: ID!): Room }
        type Room @key(fields: "id") { id: ID! temperature(unit: Unit! = C): Int sensors(kind: String): [Sensor!]! }
        type Sensor { name: String! reading(scale: Int = 1): Int }
        enum Unit { C F }`,
    },
    feeling: {
      sdl: `${FED2}
        type Room @key(fields: "id") {
          id: ID!
          temperature(unit: Unit! = C): Int @external
          sensors(kind: String): [Sensor!]! @external
          alarm(level: Int!): Int!
          comfort: String @requires(fields: "temperature(unit: C)")
          american: String @requires(fields: "temperature(unit: F)")
          dampness: Int @requires(fields: "sensors(kind: \\"wet\\") { reading(scale: 10) }")
        }
        type Sensor @external { reading(scale: Int = 1): Int }
        enum Unit { C F }`,
    },
    report: {
      sdl: `${FED2}
        type Room @key(fields: "id") {
          id: ID!
          temperature(unit: Unit! = C): Int @external
          comfort: String @external
          both: String @requires(fields: "comfort temperature(unit: F)")
        }
        enum Unit { C F }`,
    },
  },
  operations: [
    { name: 'an input with an argument', query: '{ rooms { comfort } }' },
    {
      name: 'the client asks the same field with another argument',
      query: '{ rooms { temperature(unit: F) comfort } }',
    },
    {
      name: 'the client asks the same field with the same argument',
      query: '{ rooms { temperature(unit: C) comfort } }',
    },
    { name: 'the client leaves the argument to its default', query: '{ rooms { temperature comfort } }' },
    { name: 'two requirements with different arguments', query: '{ rooms { comfort american } }' },
    {
      name: 'two requirements and the client, all different',
      query: 'query ($u: Unit!) { rooms { temperature(unit: $u) american comfort } }',
      variables: { u: 'F' },
    },
    { name: 'arguments below a list', query: '{ rooms { dampness sensors { name reading(scale: 3) } } }' },
    {
      name: 'arguments below a list that the client filters otherwise',
      query: '{ rooms { sensors(kind: "dry") { reading } dampness } }',
    },
    { name: 'a chain with arguments', query: '{ room(id: "r1") { both temperature(unit: C) } }' },
    {
      name: 'everything at once, renamed',
      query:
        '{ room(id: "r2") { comfort: temperature(unit: F) temperature: comfort both dampness sensors { name } } }',
    },
    {
      name: 'fragments',
      query:
        '{ room(id: "r1") { ...R ... on Room { dampness } } } fragment R on Room { comfort sensors(kind: "dry") { ... { reading(scale: 2) } } american }',
    },
    {
      name: 'conditions',
      query:
        'query ($u: Unit!, $c: Boolean!) { rooms { temperature(unit: $u) comfort @include(if: $c) american @skip(if: $c) both @include(if: $c) } }',
      variables: { u: 'C', c: false },
    },
    {
      name: 'a non-null error of a field with an argument',
      query:
        'query ($l: Int!) { room(id: "r2") { comfort alarm(level: $l) } other: room(id: "r1") { american alarm(level: $l) low: alarm(level: 1) } }',
      variables: { l: 5 },
      errors: 'exact',
    },
  ],
}

function temperature(row: Readonly<Record<string, unknown>>, unit: unknown): number {
  const celsius = Number(row['celsius'])
  return unit === 'F' ? celsius * 2 + 30 : celsius
}

function sensors(row: Readonly<Record<string, unknown>>): readonly { name: string; raw: number }[] {
  return row['sensors'] as readonly { name: string; raw: number }[]
}
