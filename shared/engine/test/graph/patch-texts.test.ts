/** Texts and changes by which a graph could be compiled wrongly from the one before. */
import { graphByNames } from '@switchyard/testkit/graph-by-names'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type CompiledGraph, compileSupergraph, patchGraph, splitSchema } from '../../src/index.ts'
import { parseExactPieces } from '../../src/graph/patch/definition-texts.ts'
import { planOf, textOf } from './patch-cases.ts'

const QUERY = 'type Query @join__type(graph: A) { t(in: In, e: E = ONE): T }'
const T = 'type T @join__type(graph: A) { x: Int z: Int }'
const IN = 'input In @join__type(graph: A) { e: E = ONE }'
const E = 'enum E @join__type(graph: A) { ONE TWO }'
const BASE = [QUERY, T, IN, E]
const withEach = (change: (type: string) => string, ...more: readonly string[]) =>
  textOf([...BASE.map(change), ...more])

const patch = async (before: string, now: string): Promise<CompiledGraph | null> =>
  (await patchGraph(compileSupergraph(before), splitSchema(before), splitSchema(now)))?.compiled ?? null

function expectSame(graph: CompiledGraph | null, text: string): void {
  if (graph === null) expect.fail('it was to be compiled as a whole')
  expect(graphByNames(graph)).toEqual(graphByNames(compileSupergraph(text)))
}

describe('plans do not depend on the order in which types came', () => {
  const around = (face: string) => [
    'type Query @join__type(graph: A) { i: Item u: Uni }',
    `interface ${face} @join__type(graph: A, key: "id") @join__type(graph: B, key: "id", isInterfaceObject: true) { id: ID! g: Int @join__field(graph: B) }`,
    `type Item implements ${face} @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") { id: ID! g: Int @join__field p: Int @join__field(graph: B) }`,
  ]
  const object = (name: string) =>
    `type ${name} implements Face @join__type(graph: A, key: "id") { id: ID! g: Int @join__field }`
  const union = (members: string) => `union Uni @join__type(graph: A) = ${members}`

  it.each([
    ['{ i { g p } }', [...around('Zzz'), union('Item')], [...around('Face'), union('Item')]],
    [
      '{ u { ... on Other { g } ... on Aaa { g } } }',
      [...around('Face'), object('Other'), union('Other')],
      [...around('Face'), object('Other'), object('Aaa'), union('Aaa | Other')],
    ],
  ])('as that of %s', async (query, before, now) => {
    const graph = await patch(textOf(before), textOf(now))
    expectSame(graph, textOf(now))
    expect(planOf(graph as CompiledGraph, query)).toBe(planOf(compileSupergraph(textOf(now)), query))
  })
})

describe('a graph is compiled from the one before', () => {
  it.each(['@ authenticated', '@\nauthenticated', '@,authenticated', '@ # why\nauthenticated'])(
    'where rules of who may see it are written as %j',
    async (directive) => {
      const [before, now] = [
        withEach((type) => type.replace('z: Int', `z: Int ${directive}`)),
        withEach((type) => type.replace('z: Int', `z: Int ${directive}`).replace('In, e', 'In, n: Int, e')),
      ]
      const graph = await patch(before, now)
      expect(graph?.access?.fields.has('T.z')).toBe(true)
      expectSame(graph, now)
      expectSame(await patch(textOf(BASE), before), before)
    },
  )

  it.each(['override: "b"', 'override : "b"', 'override,: "b"'])(
    'where %s names a subgraph',
    async (override) => {
      const taking = `type O @join__type(graph: A) @join__type(graph: B) { f: Int @join__field(graph: A, ${override}) @join__field(graph: B) }`
      const now = textOf([...BASE, taking]).replace('name: "b"', 'name: "b2"')
      expectSame(await patch(textOf([...BASE, taking]), now), now)
    },
  )
})

describe('a graph is compiled as a whole', () => {
  const directive = 'directive @flag(level: Level) on FIELD'
  const level = 'enum Level @join__type(graph: A) { LOW }'
  const gone = 'type Zzz @join__type(graph: A) { x: Int }'
  const escaped =
    'type W @join__type(graph: A) { w: T @join__field(graph: A, provides: "... on \\u005azz { x }") }'

  it.each<[string, string, string]>([
    [
      'the header names a type that came in',
      textOf([...BASE, directive]),
      textOf([...BASE, directive, level]),
    ],
    ['the header names a type that went', textOf([...BASE, directive, level]), textOf([...BASE, directive])],
    ['an escape may name a type that went', textOf([...BASE, gone, escaped]), textOf([...BASE, escaped])],
    ['a default is an object', textOf(BASE), withEach((type) => type.replace('in: In', 'in: In = {}'))],
    [
      'names are longer than a pattern may be',
      textOf(BASE),
      textOf([...BASE, gone.replace('Zzz', `Z${'z'.repeat(20_000)}`)]),
    ],
    [
      'a default nests too deeply',
      textOf(BASE),
      withEach((type) => type.replace('e: E = ONE }', `e: [E] = ${'['.repeat(60_000)} }`)),
    ],
  ])('where %s', async (_, before, now) => {
    expect(await patch(before, now)).toBeNull()
  })

  it('where a field came in by which a selection means something else', async () => {
    const types = (z: string) => [
      'type Query @join__type(graph: A) { r: R }',
      `interface I @join__type(graph: A) @join__type(graph: B) { x: Int ${z} }`,
      'type S implements I @join__type(graph: A) @join__type(graph: B) { x: Int z: T1 }',
      'type T1 @join__type(graph: A) @join__type(graph: B) { q: Int }',
      'type T2 @join__type(graph: A) @join__type(graph: B) { o: Int }',
      'type R @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") { id: ID! i: I @join__field(graph: A) @join__field(graph: B, external: true) r: Int @join__field(graph: B, requires: "i { z { q } }") }',
    ]
    expect(() => compileSupergraph(textOf(types('z: T2')))).toThrow('names the field "q"')
    expect(await patch(textOf(types('')), textOf(types('z: T2')))).toBeNull()
  })
})

describe('pieces of a text are exact', () => {
  it.each([
    ['each is a definition by itself', textOf(BASE)],
    [
      'a description has lines like definitions',
      textOf(['"""\ntype X of a description\n"""\ntype X { a: Int }']),
    ],
    [
      'the schema is extended on a line of its own',
      `${textOf(BASE)}\nextend schema @link(url: "https://a.example/b/v1.0")`,
    ],
  ])('where %s', (_, text) => {
    const { definitions } = parse(text, { noLocation: true })
    expect(parseExactPieces(splitSchema(text))?.definitions).toEqual(definitions)
  })

  it.each([
    ['a definition is indented', 'type X { a: Int }\n  type Y { a: Int }'],
    ['two definitions are on a line', 'scalar X type Y { a: Int }'],
    ['a link is on the line of a type', 'scalar X extend schema @link(url: "https://a.example/b/v1.0")'],
    ['a description does not begin its line', 'type X { a: Int } "about Y"\ntype Y { a: Int }'],
    ['keywords that are values begin lines', 'enum X {\nA\ntype\nY }'],
    ['a comment is between keyword and name', 'type # c\nY { a: Int }'],
    ['a type is extended', 'type X { a: Int }\nextend type X { b: Int }'],
    ['something nests too deeply', `type X { a(x: [Int] = ${'['.repeat(60_000)}): Int }`],
    ['it is no schema', 'type X {'],
  ])('and not where %s', (_, types) => {
    expect(parseExactPieces(splitSchema(`${QUERY}\n${types}`))).toBeNull()
  })
})
