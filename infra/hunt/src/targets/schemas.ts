/** Schemas of subgraphs, as teams publish them and composers put them together. */
import { openStage } from './stage.ts'
import type { Seeds, Target } from './target.ts'
import { textTarget } from './text-target.ts'

/** Schemas may be larger, but then there is more in them than a few changes can vary. */
const MAX_SDL = 64 * 1024

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@interfaceObject", "@inaccessible", "@tag"])'
const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n')

const SEEDS: Seeds = {
  entities: `${LINK} type Query { users: [User!]! node(id: ID!): Node } type User implements Node @key(fields: "id") { id: ID! age(in: Unit = YEARS): Int team: Team } type Team @key(fields: "id lead { id }") { id: ID! lead: User! } interface Node { id: ID! } enum Unit { YEARS MONTHS }`,
  requires: `${LINK} type Query { a: A } type A @key(fields: "id") { id: ID! size: Int @external price: Int @requires(fields: "size") b: B @provides(fields: "name") } type B @key(fields: "id") { id: ID! name: String @external }`,
  'inputs and unions': `${LINK} type Query { search(filter: Filter = { and: [{ name: "x" }] }): [Found!]! @shareable } union Found = X | Y type X @shareable { a: Int } type Y { b: JSON @tag(name: "t") } scalar JSON @specifiedBy(url: "https://example.com") input Filter { name: String and: [Filter!] }`,
  'interfaces of interfaces': `${LINK} type Query { i0: I0 } ${numbered(10, (n) => `interface I${n}${n === 0 ? '' : ` implements ${Array.from({ length: n }, (_, above) => `I${above}`).join(' & ')}`} { id: ID! }`)} type Z implements ${Array.from({ length: 10 }, (_, n) => `I${n}`).join(' & ')} @key(fields: "id") { id: ID! }`,
  'interface object': `${LINK} type Query { m: [M!]! } type M @interfaceObject @key(fields: "id") { id: ID! more: Int } extend type User @key(fields: "id") { id: ID! @external more: Int @override(from: "other") hidden: Int @inaccessible }`,
  'deep field sets': `${LINK} type Query { t: T } type T @key(fields: "${'a { '.repeat(20)}id${' }'.repeat(20)}") { id: ID! a: T }`,
  'without federation': 'type Query { others: [User!]! } type User { id: ID! name: String }',
  'many types': `${LINK} type Query { t0: T0 } ${numbered(60, (n) => `type T${n} @key(fields: "id") { id: ID! next: T${(n + 1) % 60} other: T${(n * 7) % 60} }`)}`,
}

export const SCHEMAS: Target = textTarget({
  name: 'schemas',
  // Composers compose in threads of their own, which are ended when they take too long.
  judgesTimes: false,
  seeds: SEEDS,
  words: [
    'Query',
    'User',
    'Node',
    'Team',
    'id',
    'name',
    'id name',
    'id { id }',
    'a { a { id } }',
    '__typename',
    'T0',
    'T1',
    'ID',
    'Int',
    'published',
    'other',
    'x'.repeat(2000),
    '_Entity',
    '_Service',
    'Mutation',
  ],
  maxLength: MAX_SDL,
  bytesOf: (text) => Buffer.from(text).subarray(0, MAX_SDL),
  open: () => openStage(new URL('../stages/compose-schema.ts', import.meta.url)),
})
