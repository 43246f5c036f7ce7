import { FED2, find, type Suite } from '../harness/suite.ts'

/** Arguments echo what arrives, so that absent, null and default stay three different things. */
export const variables: Suite = {
  name: 'variables and arguments',
  monolith: `
    scalar Any
    type Query { echo(text: String = "dflt", number: Int, flag: Boolean, list: [Int!], id: ID, ratio: Float): String nodes(ids: [ID!]!): [Node] point(at: Point, box: Box, colour: Colour = RED): String any(value: Any): String }
    type Node { id: ID! label(style: Style, prefix: String = ">"): String near(radius: Float! = 1.5, filter: Point): String }
    input Point { x: Int! y: Int = 7 name: String }
    input Box { corners: [Point!] inner: Box colour: Colour = BLUE }
    enum Colour { RED BLUE }
    enum Style { PLAIN LOUD }
  `,
  tables: () => ({
    Node: [
      { __typename: 'Node', id: '1', label: 'a' },
      { __typename: 'Node', id: '2', label: 'b' },
    ],
  }),
  fields: {
    'Query.echo': (_row, args) => JSON.stringify(args),
    'Query.point': (_row, args) => JSON.stringify(args),
    'Query.any': (_row, args) => JSON.stringify(args),
    'Query.nodes': (_row, { ids }, tables) => (ids as unknown[]).map((id) => find(tables['Node'], 'id', id)),
    'Node.label': (row, args) => `${String(row['label'])}${JSON.stringify(args)}`,
    'Node.near': (_row, args) => JSON.stringify(args),
  },
  subgraphs: {
    first: {
      sdl: `${FED2}
        scalar Any
        type Query { echo(text: String = "dflt", number: Int, flag: Boolean, list: [Int!], id: ID, ratio: Float): String nodes(ids: [ID!]!): [Node] point(at: Point, box: Box, colour: Colour = RED): String any(value: Any): String }
        type Node @key(fields: "id") { id: ID! }
        input Point { x: Int! y: Int = 7 name: String }
        input Box { corners: [Point!] inner: Box colour: Colour = BLUE }
        enum Colour { RED BLUE }`,
    },
    second: {
      sdl: `${FED2}
        type Node @key(fields: "id") { id: ID! label(style: Style, prefix: String = ">"): String near(radius: Float! = 1.5, filter: Point): String }
        input Point { x: Int! y: Int = 7 name: String }
        enum Style { PLAIN LOUD }`,
    },
  },
  operations: [
    { name: 'nothing given', query: '{ echo }' },
    {
      name: 'an absent variable leaves the default of the argument',
      query: 'query ($t: String) { echo(text: $t) }',
    },
    {
      name: 'a null variable is null',
      query: 'query ($t: String) { echo(text: $t) }',
      variables: { t: null },
    },
    {
      name: 'a default of the variable wins over that of the argument',
      query: 'query ($t: String = "mine") { echo(text: $t) }',
    },
    {
      name: 'null beats the default of the variable',
      query: 'query ($t: String = "mine", $n: Int = 3) { echo(text: $t, number: $n) }',
      variables: { t: null },
    },
    {
      name: 'literals of every kind',
      query: '{ echo(text: "q\\"\\u00e9\\n", number: -5, flag: false, list: [1, 2], id: 17, ratio: 1e3) }',
    },
    {
      name: 'block strings and explicit null',
      query: '{ echo(text: """ a "b" """, number: null, list: null) }',
    },
    {
      name: 'a single value where a list is wanted',
      query: 'query ($l: [Int!]) { literal: echo(list: 4) variable: echo(list: $l) }',
      variables: { l: 9 },
    },
    {
      name: 'a variable inside a list and an object',
      query:
        'query ($x: Int!, $n: String) { point(at: { x: $x, name: $n }, box: { corners: [{ x: $x }, { x: 2, y: null }] }) }',
      variables: { x: 1 },
    },
    {
      name: 'nested input objects with defaults',
      query: 'query ($b: Box) { point(box: $b) }',
      variables: { b: { corners: [{ x: 1 }], inner: { inner: { colour: 'RED' } } } },
    },
    {
      name: 'enums as literal and variable',
      query: 'query ($c: Colour) { a: point(colour: BLUE) b: point(colour: $c) c: point }',
      variables: { c: 'BLUE' },
    },
    {
      name: 'the same variable in two subgraphs',
      query: 'query ($ids: [ID!]!, $p: String) { echo(text: $p) nodes(ids: $ids) { label(prefix: $p) id } }',
      variables: { ids: ['2', 1], p: '#' },
    },
    {
      name: 'arguments of an entity field',
      query:
        'query ($s: Style = LOUD, $r: Float = 2) { nodes(ids: ["1"]) { a: label(style: $s) b: label(style: PLAIN, prefix: null) c: label near(radius: $r, filter: { x: 1 }) } }',
    },
    {
      name: 'an absent variable of an entity field',
      query: 'query ($s: Style, $f: Point) { nodes(ids: "2") { label(style: $s) near(filter: $f) } }',
    },
    {
      name: 'a custom scalar as literal and as variable',
      query:
        'query ($v: Any) { a: any(value: { deep: [1, "two", { three: null }] }) b: any(value: $v) c: any(value: 3.5) }',
      variables: { v: { x: [true, { y: 'z' }] } },
    },
    {
      name: 'names of variables that look like ours',
      query:
        'query ($representations: [ID!]!, $_v0: String, $r0: Float = 3, $constructor: Style) { nodes(ids: $representations) { label(prefix: $_v0, style: $constructor) near(radius: $r0) } }',
      variables: { representations: ['1', '2'], _v0: 'v' },
    },
    {
      name: 'a variable that conditions and arguments share',
      query: 'query ($f: Boolean = true) { echo(flag: $f) nodes(ids: "1") @include(if: $f) { id } }',
    },
    {
      name: 'two operations with different variables',
      query: 'query A($x: Int!) { echo(number: $x) } query B($x: String) { echo(text: $x) }',
      operationName: 'B',
      variables: { x: 'b' },
    },
  ],
}
