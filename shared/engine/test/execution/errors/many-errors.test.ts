import { isLongRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { indicesOf, ordinalOf } from '../../../src/json/object-lists.ts'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { openGraph } from '../../../src/graph/graph.ts'
import { supergraph } from '../../graph/supergraph-text.ts'
import { planIn } from '../../plan/support/planned.ts'
import { body, run } from '../support/run.ts'

const COUNT = isLongRun() ? 30_000 : 8_000

describe('a list all of whose items fail', () => {
  const graph = openGraph(
    compileSupergraph(
      supergraph(
        ['A', 'B'],
        `type Query @join__type(graph: A) { items: [Item] @join__field(graph: A) }
         type Item @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
           id: ID! own: Int @join__field(graph: A) far: Int @join__field(graph: B)
         }`,
      ),
    ),
  )
  const items = Array.from({ length: COUNT }, (_, id) => ({ id, own: null }))
  const failing = (field: string, ...root: readonly string[]) =>
    items.map((_, index) => ({ message: 'No.', path: [...root, index, field] }))
  const expected = (field: string) => items.map((_, index) => ['items', index, field])

  it('has an error at each of them', async () => {
    const answers = [body({ data: { items }, errors: failing('own', 'items') })]
    const { result } = await run(graph, planIn(graph, '{ items { own } }'), answers)
    expect(result.errors.map(({ path }) => path)).toEqual(expected('own'))
  })

  it('has an error at each of them when they come from elsewhere', async () => {
    const entities = { data: { _entities: items.map(() => ({ far: null })) } }
    const answers = [body({ data: { items } }), body({ ...entities, errors: failing('far', '_entities') })]
    const { result } = await run(graph, planIn(graph, '{ items { far } }'), answers)
    expect(result.errors.map(({ path }) => path)).toEqual(expected('far'))
  })

  it('has copies of at most a mebibyte when its call gave nothing but very many errors', async () => {
    const errors = items.map((_, index) => ({ message: `No ${index}.` }))
    const answers = [body({ data: { items } }), body({ errors })]
    const { result } = await run(graph, planIn(graph, '{ items { far } }'), answers)
    const omitted = result.errors.filter(
      ({ extensions }) => extensions?.['code'] === 'SUBGRAPH_ERRORS_OMITTED',
    )
    expect(omitted).toHaveLength(1)
    expect(new Set(result.errors.map(({ message }) => message)).size).toBe(COUNT + 1)
    const firsts = result.errors.filter(({ path }) => path?.[1] === 0)
    expect(firsts).toHaveLength(COUNT)
    const copies = JSON.stringify(result.errors).length - JSON.stringify(firsts).length
    expect(copies).toBeLessThan(1.1 * 2 ** 20)
  })
})

describe('an error about an entity that stands at many places', () => {
  const graph = openGraph(
    compileSupergraph(
      supergraph(
        ['A', 'B'],
        `type Query @join__type(graph: A) { items: [Item] @join__field(graph: A) }
         type Item @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
           id: ID! @join__field(graph: A) @join__field(graph: B) far: Int @join__field(graph: B)
         }`,
      ),
    ),
  )
  const items = Array.from({ length: 100 }, () => ({ id: 'same' }))
  const answered = async (message: string, count: number) => {
    const errors = Array.from({ length: count }, () => ({ message, path: ['_entities', 0, 'far'] }))
    const answers = [body({ data: { items } }), body({ data: { _entities: [{ far: null }] }, errors })]
    const { result } = await run(graph, planIn(graph, '{ items { far } }'), answers)
    return result.errors
  }

  it('is shown at 50 of them', async () => {
    expect((await answered('No.', 1)).map(({ path }) => path)).toEqual(
      Array.from({ length: 50 }, (_, index) => ['items', index, 'far']),
    )
  })

  it('is copied up to a size, however large it is: 10 MB do not become 500', async () => {
    const errors = await answered('x'.repeat(100_000), 100)
    const isShort = ({ message }: { readonly message: string }) => message.length < 1000
    expect(errors.filter(isShort)).toEqual([
      {
        message:
          'Errors of subgraphs belong to many places of the response: their copies would be more than 1048576 characters, so the rest of them is left out.',
        extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' },
      },
    ])
    // Each of them once, and ten copies.
    expect(errors.length - 1).toBe(110)
  })
})

describe('the place of an object in nested lists', () => {
  const object = {}
  const value = [[], [object, null, [object, []]], null, 7, [[[]], object], [], object]
  const places = [[1, 0], [1, 2, 0], [4, 1], [6]]

  it('is found by its number, and its number by its place', () => {
    expect(places.map((_, ordinal) => indicesOf(value, ordinal))).toEqual(places)
    expect(places.map((indices) => ordinalOf(value, indices))).toEqual([0, 1, 2, 3])
  })

  it('is none where no object is', () => {
    expect(indicesOf(value, places.length)).toBeNull()
    for (const indices of [[0], [0, 0], [1], [1, 1], [2], [3], [7], [6, 0], []])
      expect(ordinalOf(value, indices)).toBe(-1)
  })
})
