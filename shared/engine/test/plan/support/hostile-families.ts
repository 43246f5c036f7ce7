/**
 * Families of operations made to be expensive, each for a size n. What grows with n is the operation or,
 * where only a graph can be hostile, the graph. Supergraphs are written by hand: composing is not what is
 * measured.
 */
import { supergraph } from '../../graph/supergraph-text.ts'

export type HostileFamily = {
  readonly name: string
  /**
   * Ascending, each twice the one before; the last is the largest that the limits for operations let through.
   */
  readonly sizes: readonly number[]
  readonly graph: (n: number) => string
  readonly operation: (n: number) => string
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const times = (count: number, text: (index: number) => string) => numbers(count).map(text).join(' ')
const subs = (count: number) => numbers(count).map((sub) => `S${sub}`)
const present = (count: number, key = 'id') =>
  times(count, (sub) => `@join__type(graph: S${sub}, key: "${key}")`)
const at = (sub: number, more = '') => `@join__field(graph: S${sub}${more})`

/** `count` subgraphs share all of an entity, and each has a field of its own. */
const sharing = (count: number) =>
  supergraph(
    subs(count),
    `type Query ${times(count, (sub) => `@join__type(graph: S${sub})`)} { e: E es: [E] }
     type E ${present(count)} { id: ID! a: Int b: Int c(x: Int): Int e: E es: [E] ${times(count, (sub) => `own${sub}: Int ${at(sub)}`)} }`,
  )

/** An interface and a union over `count` types in two subgraphs; the second adds a field to each type. */
const abstract = (count: number) =>
  supergraph(
    subs(2),
    `type Query @join__type(graph: S0) { node: Node nodes: [Node] any: [Any] }
     interface Node @join__type(graph: S0) { id: ID! node: Node nodes: [Node] any: [Any] }
     union Any @join__type(graph: S0) ${times(count, (type) => `@join__unionMember(graph: S0, member: "T${type}")`)} = ${numbers(
       count,
     )
       .map((type) => `T${type}`)
       .join(' | ')}
     ${times(
       count,
       (
         type,
       ) => `type T${type} implements Node @join__implements(graph: S0, interface: "Node") ${present(2)} {
         id: ID! node: Node ${at(0)} nodes: [Node] ${at(0)} any: [Any] ${at(0)} own: Int ${at(0)} far: Int ${at(1)} f${type}: Int ${at(1)} }`,
     )}`,
  )

/** f1 requires f0, f2 requires f1 and so on, by turns in three subgraphs. */
const requiresChain = (length: number) =>
  supergraph(
    subs(3),
    `type Query @join__type(graph: S0) { e: E es: [E] }
     type E ${present(3)} { id: ID! f0: Int ${at(0)} ${times(
       length,
       (index) =>
         `f${index + 1}: Int ${at((index + 1) % 3, `, requires: "f${index}"`)} ${at((index + 2) % 3, ', external: true')}`,
     )} }`,
  )

/** Each field requires two others, round and round: nothing but r0 can be had, and only at first sight. */
const requiresRing = (length: number) =>
  supergraph(
    subs(3),
    `type Query @join__type(graph: S0) { e: E }
     type E ${present(3)} { id: ID! plain: Int ${at(0)} ${times(
       length,
       (index) =>
         `f${index}: Int ${at(index % 3, `, requires: "f${(index + 1) % length} f${(index + 2) % length}"`)}`,
     )} }`,
  )

/** Subgraph i knows keys i and i + 1: the last one is reached through all others. */
const keyChain = (length: number) =>
  supergraph(
    subs(length),
    `type Query @join__type(graph: S0) { e: E es: [E] }
     type E ${times(length, (sub) => `@join__type(graph: S${sub}, key: "k${sub}") @join__type(graph: S${sub}, key: "k${sub + 1}")`)} {
       ${times(length + 1, (key) => `k${key}: ID ${key > 0 ? at(key - 1) : ''} ${key < length ? at(key) : ''}`)}
       ${times(length, (sub) => `own${sub}: Int ${at(sub)}`)} }`,
  )

/** Every subgraph but the first sees an interface of entities as an object, and adds a field to it. */
const interfaceObjects = (count: number) =>
  supergraph(
    subs(count),
    `type Query @join__type(graph: S0) @join__type(graph: S1) { media: [Media] ${at(0)} rated: [Media] ${at(1)} }
     interface Media @join__type(graph: S0, key: "id") ${times(count - 1, (sub) => `@join__type(graph: S${sub + 1}, key: "id", isInterfaceObject: true)`)} {
       id: ID! title: String ${at(0)} media: Media ${at(0)} ${times(count - 1, (sub) => `x${sub + 1}: Int ${at(sub + 1)}`)} }
     ${times(
       6,
       (
         type,
       ) => `type M${type} implements Media @join__implements(graph: S0, interface: "Media") @join__type(graph: S0, key: "id") {
         id: ID! title: String media: Media own${type}: Int ${times(count - 1, (sub) => `x${sub + 1}: Int @join__field`)} }`,
     )}`,
  )

/**
 * An interface whose field leads to itself, non-null in one of its types: `narrow` in one subgraph, or for
 * everyone.
 */
const narrower = (type: string, narrow: string) =>
  supergraph(
    subs(2),
    `type Query @join__type(graph: S0) { start: Node }
     interface Node @join__type(graph: S0) @join__type(graph: S1) { next: [Node] }
     ${times(3, (index) => `type T${index} implements Node ${present(2)} @join__implements(graph: S0, interface: "Node") @join__implements(graph: S1, interface: "Node") { id: ID! next: [Node] }`)}
     type Last implements Node ${present(2)} @join__implements(graph: S0, interface: "Node") @join__implements(graph: S1, interface: "Node")
       { id: ID! next: ${type} ${narrow} late: Int ${at(1)} }`,
  )

const nextLevels = (n: number) => `{ start { ${'next { '.repeat(n)} ... on Last { late } ${'}'.repeat(n)} } }`

export const HOSTILE_FAMILIES: readonly HostileFamily[] = [
  {
    name: 'wide aliases',
    sizes: [250, 500, 1000],
    graph: () => sharing(4),
    operation: (n) => `{ e { ${times(n, (index) => `a${index}: c(x: ${index})`)} } }`,
  },
  {
    name: 'aliased entities in forty subgraphs that share all',
    sizes: [60, 120, 240, 480],
    graph: () => sharing(40),
    operation: (n) => `{ es { ${times(n, (index) => `a${index}: e { a own${index % 40} }`)} } }`,
  },
  {
    name: 'aliased roots with calls below each',
    sizes: [60, 120, 240, 480],
    graph: () => sharing(3),
    operation: (n) => `{ ${times(n, (index) => `a${index}: e { own${index % 3} own2 b }`)} }`,
  },
  {
    name: 'deep nesting',
    sizes: [15, 30, 60],
    graph: () => sharing(3),
    operation: (n) => `${'{ e '.repeat(n)}{ a }${' }'.repeat(n)}`,
  },
  {
    name: 'an entity in itself, with a call on every level',
    sizes: [15, 30, 60],
    graph: () => sharing(3),
    operation: (n) =>
      `${'{ e { own0 own1 own2 } es '.repeat(n)}{ own2 }${' }'.repeat(n)}`.replace(
        /\{ e \{ own0 own1 own2 \} es/g,
        '{ e',
      ),
  },
  {
    name: 'many fragments on an interface with many types',
    sizes: [30, 60, 120, 240],
    graph: () => abstract(240),
    operation: (n) => `{ nodes { id ${times(n, (type) => `... on T${type} { own f${type} }`)} } }`,
  },
  {
    name: 'unions in unions in lists',
    sizes: [8, 16, 32, 64],
    graph: () => abstract(12),
    operation: (n) =>
      `{ any { ${times(n, (index) => `... on T${index % 12} { a${index}: any { ... on T${(index * 5) % 12} { own any { __typename ... on T${(index * 7) % 12} { id far } } } } }`)} } }`,
  },
  {
    name: 'fragments that spread fragments',
    // More than 300 of them within one another are refused before anything is planned.
    sizes: [70, 140, 280],
    graph: () => abstract(6),
    operation: (n) =>
      `{ nodes { ...F0 } } ${times(n, (index) => `fragment F${index} on Node { id ... on T${index % 6} { a${index}: own } ${index + 1 < n ? `...F${index + 1}` : ''} }`)}`,
  },
  {
    name: 'overlapping selections that merge',
    // Some more, and they are refused: validation would compare each with each.
    sizes: [30, 60, 120],
    graph: () => sharing(3),
    operation: (n) => `{ ${times(n, (index) => `e { a e { b own${index % 3} } }`)} }`,
  },
  {
    name: 'a chain of requires',
    sizes: [8, 16, 32, 64],
    graph: requiresChain,
    operation: (n) => `{ es { f${n} } }`,
  },
  {
    name: 'a chain of requires at many places',
    sizes: [25, 50, 100, 200],
    graph: () => requiresChain(8),
    operation: (n) => `{ ${times(n, (index) => `a${index}: e { f8 f${index % 8} }`)} }`,
  },
  {
    name: 'requires in circles',
    sizes: [6, 12, 24],
    graph: requiresRing,
    operation: () => '{ e { plain f0 } }',
  },
  {
    name: 'many keys, each of which leads to the next',
    sizes: [8, 16, 32],
    graph: keyChain,
    operation: (n) => `{ es { own${n - 1} } }`,
  },
  {
    name: 'interface objects with many consumers',
    sizes: [5, 10, 20, 40],
    graph: interfaceObjects,
    operation: (n) =>
      `{ rated { __typename ${times(n - 1, (sub) => `x${sub + 1}`)} ... on M1 { own1 media { x1 } } } }`,
  },
  {
    name: 'conditions',
    sizes: [4, 8, 16],
    graph: () => sharing(8),
    operation: (n) =>
      `query (${times(n, (index) => `$v${index}: Boolean!`)}) { e { ${times(n, (index) => `e @include(if: $v${index}) { own${index % 8} a${index}: a @skip(if: $v${(index + 1) % n}) }`)} } }`,
  },
  {
    name: 'a field narrower in one type of one subgraph at every level',
    sizes: [3, 6, 12],
    graph: () => narrower('[Node]', `${at(0, ', type: "[Node]!"')} ${at(1, ', type: "[Node]"')}`),
    operation: nextLevels,
  },
  {
    name: 'a field narrower in one type at every level',
    sizes: [3, 6, 12],
    graph: () => narrower('[Node]!', ''),
    operation: nextLevels,
  },
]
