/** What a change of one definition does to the others, which are not compiled again. */
import { graphByNames } from '@switchyard/testkit/graph-by-names'
import { describe, expect, it } from 'vitest'
import {
  applyPatch,
  type CompiledGraph,
  compileSupergraph,
  patchGraph,
  splitSchema,
} from '../../src/index.ts'
import { planOf, textOf as text } from './patch-cases.ts'

const QUERY = 'type Query @join__type(graph: A) { t: T u: U i: I }'
const REST = [
  'type T @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") { id: ID! n(in: In, e: E = ONE): Int @join__field(graph: A) m: Int @join__field(graph: B) }',
  'type S implements I @join__type(graph: A) { x: Int z: Int }',
  'union U @join__type(graph: A) @join__type(graph: B) = T | S',
  'interface I @join__type(graph: A) { x: Int }',
  'input In @join__type(graph: A) { e: E = ONE }',
  'enum E @join__type(graph: A) { ONE TWO }',
]
const BASE = [QUERY, ...REST]
const changed = (from: string, to: string): readonly string[] => {
  expect(BASE.join('\n')).toContain(from)
  return BASE.map((type) => type.replace(from, to))
}

/** Texts one after the other, each compiled from the graph before. Null where one is compiled as a whole. */
async function patched(...texts: readonly string[]): Promise<CompiledGraph | null> {
  const [first = '', ...others] = texts
  let before = { text: first, graph: compileSupergraph(first) }
  for (const next of others) {
    const found = await patchGraph(before.graph, splitSchema(before.text), splitSchema(next))
    if (found === null) return null
    expect(applyPatch(before.graph, found.patch)).toEqual(found.compiled)
    const fresh = compileSupergraph(next)
    expect(graphByNames(found.compiled)).toEqual(graphByNames(fresh))
    for (const query of OPERATIONS)
      expect(planOrErrorOf(found.compiled, query)).toBe(planOrErrorOf(fresh, query))
    before = { text: next, graph: found.compiled }
  }
  return before.graph
}

const OPERATIONS = [
  '{ i { x ... on S { z } } u { ... on T { n m } ... on S { x } } t { id m } }',
  '{ i { ... on Aaa { x } ... on S { x } ... on Zzz { x } } }',
  '{ i { ... on Aaa { q: x } ... on S { r: x } ... on Zzz { q: x } } }',
  '{ __schema { types { name } } t { n(in: {}) } }',
]

function planOrErrorOf(compiled: CompiledGraph, document: string): string {
  try {
    return planOf(compiled, document)
  } catch (error) {
    return String(error)
  }
}

const object = (name: string, graph = 'A') =>
  `type ${name} implements I @join__type(graph: ${graph}) { x: Int }`

describe('a graph that is compiled from the one before is what its text compiles to', () => {
  it.each<[string, readonly string[]]>([
    ['a field came in', changed('m: Int', 'm: Int o: T')],
    ['a field went', changed('z: Int', '')],
    [
      'a member of a union came to another subgraph',
      changed(
        'type S implements I @join__type(graph: A)',
        'type S implements I @join__type(graph: A) @join__type(graph: B)',
      ),
    ],
    ['an object stopped implementing an interface', changed('type S implements I', 'type S')],
    ['types came in before and behind the others', [object('Aaa'), ...BASE, object('Zzz')]],
    ['a value of an enum went that defaults name', changed('ONE TWO', 'TWO')],
    ['a value of an enum is hidden that defaults name', changed('ONE TWO', 'ONE @inaccessible TWO')],
    ['an input type lost what it requires', changed('e: E = ONE }', 'e: E = TWO }')],
    ['a field is hidden', changed('x: Int z: Int', 'x: Int z: Int @inaccessible')],
    ['somebody may not see a field', changed('z: Int', 'z: Int @authenticated')],
    ['a field says how long it may be kept', changed('z: Int', 'z: Int @cacheControl(maxAge: 5)')],
  ])('where %s', async (_, types) => {
    expect(await patched(text(BASE), text(types), text(BASE))).not.toBeNull()
    expect(await patched(text(types), text(BASE), text(types))).not.toBeNull()
  })

  it('where types go, come back and others come', async () => {
    const [with1, with2] = [
      [...BASE, object('Zzz')],
      [...BASE, object('Aaa'), object('Zzz'), object('Zzzz')],
    ]
    const graph = await patched(text(with1), text(BASE), text(with2), text(BASE), text(with1), text(with2))
    expect(graph?.types.map(({ name }) => name)).toEqual([...new Set(graph?.types.map(({ name }) => name))])
  })

  it('where a subgraph has another name, by which fields were overridden', async () => {
    const types = [
      ...BASE,
      'type O @join__type(graph: A) @join__type(graph: B) { f: Int @join__field(graph: A, override: "b") @join__field(graph: B) }',
    ]
    const renamed = text(types).replace('name: "b"', 'name: "b2"')
    expect(await patched(text(types), renamed, text(types))).not.toBeNull()
  })

  it('where a type went that required what not everybody may see', async () => {
    const protecting = changed('z: Int', 'z: Int @authenticated')
    const reader =
      'type Reader @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") { id: ID! own: S @join__field(graph: A) @join__field(graph: B, external: true) r: Int @join__field(graph: B, requires: "own { z }") }'
    const asking = protecting.map((type) => type.replace('i: I }', 'i: I r: Reader }'))
    const before = text([...asking, reader])
    expect(compileSupergraph(before).access?.fields.has('Reader.r')).toBe(true)
    expect(await patched(before, text(protecting))).not.toBeNull()
  })
})

describe('a graph is compiled as a whole', () => {
  it.each<[string, string, string]>([
    [
      'the header changes',
      text(BASE),
      text(BASE).replace('@link(url: "https://specs.apollo.dev/cost/v0.1")', ''),
    ],
    ['a subgraph comes in', text(BASE), text(BASE, ['A', 'B', 'C'])],
    ['something costs something', text(BASE), text(changed('z: Int', 'z: Int @cost(weight: 3)'))],
    [
      'a field moves under a label',
      text(BASE),
      text(
        changed(
          'm: Int @join__field(graph: B)',
          'm: Int @join__field(graph: B, override: "a", overrideLabel: "percent(5)") @join__field(graph: A, overrideLabel: "percent(5)")',
        ),
      ),
    ],
    ['a type went that arguments name', text(BASE), text(BASE.filter((type) => !type.startsWith('input')))],
    [
      'a type that is seen came to be hidden',
      text(BASE),
      text(
        changed(
          'type S implements I @join__type(graph: A)',
          'type S implements I @join__type(graph: A) @inaccessible',
        ),
      ),
    ],
    [
      'a type is of another kind',
      text(BASE),
      text(changed('input In @join__type(graph: A) { e: E = ONE }', 'enum In @join__type(graph: A) { ONE }')),
    ],
    [
      'a mutation root came in',
      text(BASE),
      text([...BASE, 'type Mutation @join__type(graph: A) { a: Int }']),
    ],
    ['it is none', text(BASE), text(changed('x: Int z: Int', 'x: Int z: Nothing'))],
    ['it cannot be parsed', text(BASE), text(changed('x: Int z: Int', 'x: Int z:'))],
    ['a type is defined twice', text(BASE), text([...BASE, object('S')])],
  ])('where %s', async (_, before, now) => {
    expect(await patchGraph(compileSupergraph(before), splitSchema(before), splitSchema(now))).toBeNull()
  })
})
