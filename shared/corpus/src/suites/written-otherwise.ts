import { FED2, find, type Suite } from '../harness/suite.ts'

/**
 * The same things in other spellings: every kind of definition extended, commas and block strings in
 * selections, nested directives.
 */
export const writtenOtherwise: Suite = {
  name: 'other spellings',
  monolith: `
    "The root."
    type Query { tools(filter: Filter): [Tool!]! tool(key: Kind!): Tool things: [Thing] any: [Any!] now: Stamp }
    interface Thing { name: String }
    union Any = Tool | Nail
    "A tool."
    type Tool implements Thing { kind: Kind! serial: Stamp! tags: [String!]! on: Boolean! name: String "In any unit." weight(unit: Unit = G): Int label: String price: Int! }
    type Nail implements Thing { name: String length: Int }
    enum Kind { SAW DRILL }
    enum Unit { G KG }
    input Filter { kinds: [Kind!] on: Boolean = true }
    scalar Stamp
  `,
  tables: () => ({
    Tool: [
      {
        __typename: 'Tool',
        kind: 'SAW',
        serial: [2, ['a', 1.5]],
        tags: ['a', 'b'],
        on: true,
        name: 'saw',
        grams: 1000,
        price: 5,
      },
      {
        __typename: 'Tool',
        kind: 'DRILL',
        serial: 7,
        tags: [],
        on: false,
        name: null,
        grams: null,
        price: new Error('no price'),
      },
    ],
    Nail: [{ __typename: 'Nail', name: 'nail', length: 3 }],
  }),
  fields: {
    'Query.tools': (_row, { filter }, tables) => {
      const { kinds, on } = (filter ?? {}) as { kinds?: string[]; on?: boolean }
      return tables['Tool']?.filter(
        (tool) =>
          (kinds === undefined || kinds.includes(String(tool['kind']))) &&
          (on === undefined || on === tool['on']),
      )
    },
    'Query.tool': (_row, { key }, tables) => find(tables['Tool'], 'kind', key),
    'Query.things': (_row, _args, tables) => [tables['Nail']?.[0], null, tables['Tool']?.[1]],
    'Query.any': (_row, _args, tables) => [tables['Tool']?.[0], tables['Nail']?.[0]],
    'Query.now': () => ({ any: ['thing', 1, null] }),
    'Tool.weight': (row, { unit }) =>
      row['grams'] === null ? null : Number(row['grams']) / (unit === 'KG' ? 1000 : 1),
  },
  computed: {
    'Tool.label': {
      compute: ({ weight, name }) => `${JSON.stringify(name)} ${JSON.stringify(weight)} kg`,
      inputs: ({ name, grams }) => ({ name, weight: grams === null ? null : Number(grams) / 1000 }),
    },
  },
  subgraphs: {
    shed: {
      sdl: `${FED2}
        "The root."
        type Query
        extend type Query { tools(filter: Filter): [Tool!]!, tool(key: Kind!): Tool }
        extend type Query { things: [Thing] any: [Any!] now: Stamp }
        interface Thing
        extend interface Thing { name: String }
        union Any
        extend union Any = Tool
        extend union Any = | Nail
        """
        A tool.
        """
        type Tool implements Thing @key(fields: """
          kind, serial
        """) @key(fields: "tags on,") { kind: Kind!, serial: Stamp!, tags: [String!]!, on: Boolean!, name: String, "In any unit." weight(unit: Unit = G): Int }
        type Nail
        extend type Nail implements Thing { name: String }
        extend type Nail @shareable { length: Int @deprecated(reason: "measure it") }
        enum Kind
        extend enum Kind { SAW, DRILL }
        enum Unit { G KG }
        input Filter
        extend input Filter { kinds: [Kind!], on: Boolean = true }
        scalar Stamp
        directive @mine(why: String) repeatable on FIELD_DEFINITION | OBJECT`,
    },
    labels: {
      sdl: `${FED2}
        type Tool @key(fields: "serial,,kind") { kind: Kind! serial: Stamp! name: String @external weight(unit: Unit = G): Int @external label: String @requires(fields: "name,, weight(unit: KG)") }
        enum Kind { SAW DRILL }
        enum Unit { G KG }
        scalar Stamp @specifiedBy(url: "https://example.org/stamp")`,
    },
    prices: {
      sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.0") type Tool @federation__key(fields: "on tags") { on: Boolean! tags: [String!]! price: Int! }`,
    },
  },
  operations: [
    { name: 'plain', query: '{ tools { kind serial tags on name } }' },
    { name: 'a key of an enum and a custom scalar', query: '{ tool(key: SAW) { label } }' },
    { name: 'a key of a list and a boolean', query: '{ tool(key: SAW) { price } }' },
    {
      name: 'everything',
      query: '{ tools(filter: { kinds: [SAW] }) { label price weight kg: weight(unit: KG) } now }',
    },
    {
      name: 'aliases of key fields',
      query: '{ tools { serial: tags tags: serial on: kind kind: on label price } }',
      errors: 'exact',
    },
    {
      name: 'fragments',
      query:
        '{ things { ...T } any { ... on Nail { length } ...T } } fragment T on Thing { name ... on Tool { label } }',
    },
    {
      name: 'conditions',
      query: 'query ($l: Boolean!) { tools { name label @include(if: $l) price @skip(if: $l) } }',
      variables: { l: true },
    },
    {
      name: 'defaults of an input',
      query: 'query ($f: Filter) { tools(filter: $f) { name } all: tools { kind } }',
      variables: { f: {} },
    },
    {
      name: 'enums in variables',
      query: 'query ($k: Kind!, $u: Unit = KG) { tool(key: $k) { weight(unit: $u) label } }',
      variables: { k: 'DRILL' },
    },
    {
      name: 'a non-null error',
      query: '{ tool(key: DRILL) { name price } things { ... on Tool { price } } }',
      errors: 'exact',
    },
    { name: 'type names', query: '{ things { __typename } any { __typename ... on Thing { name } } }' },
  ],
}
