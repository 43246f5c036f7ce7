/** Large answers are put together in slices, with others in between, and up to a budget. */
import { describe, expect, it } from 'vitest'
import type { ExecuteOptions } from '../../src/execution/contract/options.ts'
import type { ExecutionResult } from '../../src/execution/contract/response.ts'
import type { SubgraphReply } from '../../src/execution/contract/subgraph-calls.ts'
import { execute } from '../../src/execution/execute.ts'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { ExecutionLimitError, executionWork } from '../../src/work/execution-work.ts'
import { supergraph } from '../graph/supergraph-text.ts'
import { planIn } from '../plan/support/planned.ts'
import { body, data, run } from './support/run.ts'

const graph = openGraph(
  compileSupergraph(
    supergraph(
      ['A', 'B'],
      `scalar JSON @join__type(graph: A)
       type Query @join__type(graph: A) {
         items: [Item] @join__field(graph: A) grid: [[Item]] @join__field(graph: A)
         any: JSON @join__field(graph: A) strict: [[Int!]] @join__field(graph: A)
       }
       type Item @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
         id: ID! @join__field(graph: A) @join__field(graph: B, external: true)
         own: Int @join__field(graph: A) far: Int @join__field(graph: B)
         parts: [Part] @join__field(graph: A) @join__field(graph: B, external: true)
         weight: Int @join__field(graph: B, requires: "parts { no }")
         more: [Part] @join__field(graph: B)
       }
       type Part @join__type(graph: A) @join__type(graph: B) { no: Int }`,
    ),
  ),
)

type Replies = readonly SubgraphReply[]

/** Executes with turns that the test takes; `slice` as in a router unless told otherwise. */
function runInSlices(
  query: string,
  replies: Replies,
  { slice, maxSteps = 1e9 }: { slice?: number; maxSteps?: number } = {},
) {
  const results: ExecutionResult[] = []
  const defects: unknown[] = []
  const called: string[] = []
  const waiting: (() => void)[] = []
  let turns = 0
  const next = () => {
    turns++
    return new Promise<void>((resolve) => waiting.push(resolve))
  }
  const work = { ...executionWork({ next }, maxSteps), ...(slice === undefined ? {} : { slice }) }
  const answers: (() => void)[] = []
  const options: ExecuteOptions = {
    plan: planIn(graph, query),
    variables: new Map(),
    work,
    onDefect: (error) => defects.push(error),
    fetch: ({ fetch, body: sent }, done) => {
      called.push(sent)
      answers[fetch.id] = () => done(replies[fetch.id] ?? data(null))
    },
  }
  const execution = execute(graph, options, (result) => results.push(result))
  const settle = () => new Promise(setImmediate)
  return {
    execution,
    results,
    defects,
    called,
    answers,
    work,
    turns: () => turns,
    async turn() {
      waiting.shift()?.()
      await settle()
    },
    async finish() {
      for (const answer of answers.values()) {
        answer()
        while (waiting.length > 0) await this.turn()
      }
    },
  }
}

const items = (count: number, more: (index: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), ...more(index) }))

const ALL = '{ items { id own far } }'
const some = (count: number): Replies => [
  data({ items: items(count, (own) => ({ own })) }),
  data({ _entities: items(count).map((_, far) => ({ far })) }),
]

describe('a large answer', () => {
  it('is put together in slices, and is what it is in one go', async () => {
    const running = runInSlices(ALL, some(20_000))
    await running.finish()
    const { result, requests } = await run(graph, planIn(graph, ALL), some(20_000))
    expect(running.results).toEqual([result])
    expect(running.called.map((sent) => JSON.parse(sent))).toEqual(requests.map(({ body: sent }) => sent))
    // 20,000 objects are numbered, sent as representations, found again, and shown with three fields.
    expect(running.turns()).toBeGreaterThan((20_000 * (1 + 1 + 1 + 4)) / 5000 - 4)
  })

  it('takes no turn if it is small', async () => {
    const running = runInSlices(ALL, some(200))
    await running.finish()
    expect(running.results).toHaveLength(1)
    expect(running.turns()).toBe(0)
  })

  it.each([
    [
      'lists in lists',
      '{ grid { own } }',
      { grid: Array.from({ length: 400 }, () => items(50, (own) => ({ own }))) },
    ],
    ['a value of a custom scalar', '{ any }', { any: Array.from({ length: 20_000 }, (_, n) => [n]) }],
    ['values that do not fit', '{ strict }', { strict: Array.from({ length: 20_000 }, () => [1, null, 2]) }],
  ])('is put together in slices: %s', async (_, query, given) => {
    const running = runInSlices(query, [data(given)])
    await running.finish()
    const { result } = await run(graph, planIn(graph, query), [data(given)])
    expect(running.results).toEqual([result])
    expect(running.turns()).toBeGreaterThan(6)
  })

  it('is not gone on with when nobody wants it any more', async () => {
    const running = runInSlices(ALL, some(20_000))
    running.answers[0]?.()
    await running.turn()
    running.execution.abort()
    const turns = running.turns()
    while (running.turns() > turns) await running.turn()
    await running.turn()
    await running.turn()
    expect(running.turns()).toBe(turns)
    expect(running.called).toHaveLength(1)
    expect(running.results).toEqual([])
  })

  it('is complete before the answer that comes next is looked at', async () => {
    const query = '{ items { own } grid { own far } }'
    const plan = planIn(graph, query)
    expect(plan.fetches.map(({ after }) => after.length)).toEqual([0, 1])
    const large = items(20_000, (own) => ({ own }))
    const running = runInSlices(query, [data({ items: large, grid: [large] }), data({ _entities: large })])
    running.answers[0]?.()
    expect(running.turns()).toBe(1)
    expect(running.called).toHaveLength(1)
    // It comes twice, the second time while the first one is worked on: only the first one counts.
    running.answers[0]?.()
    await running.finish()
    expect(running.called).toHaveLength(2)
    expect(running.results).toHaveLength(1)
  })
})

describe('very many errors of one answer', () => {
  /** Errors that count how often they are taken over. */
  function counted(count: number, pathOf: (index: number) => readonly (string | number)[] | undefined) {
    const taken = { count: 0 }
    const extensions = Object.defineProperty({}, 'code', {
      enumerable: true,
      get: () => {
        taken.count++
        return 'NO'
      },
    })
    const errors = Array.from({ length: count }, (_, index) => {
      const path = pathOf(index)
      return { message: `No ${index}.`, extensions, ...(path === undefined ? {} : { path }) }
    })
    return { taken, errors }
  }
  const COUNT = 30_000
  const own = items(COUNT, () => ({ own: null }))

  it.each([
    ['about one place each', own, (index: number) => ['items', index, 'own'], COUNT],
    ['without a path', own, () => undefined, COUNT],
    ['about nothing that was asked for', own, (index: number) => ['other', index], COUNT],
  ] as const)('%s are taken over a hundred in a turn, and all of them', async (_, list, pathOf, total) => {
    const { taken, errors } = counted(COUNT, pathOf)
    const running = runInSlices('{ items { own } }', [body({ data: { items: list }, errors })])
    running.answers[0]?.()
    let most = taken.count
    while (running.results.length === 0) {
      const before = taken.count
      await running.turn()
      most = Math.max(most, taken.count - before)
    }
    expect(running.results[0]?.errors).toHaveLength(total)
    expect(taken.count).toBe(total)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(201)
  })

  it('about one entity at many places are taken over a few in a turn', async () => {
    const { taken, errors } = counted(1000, () => ['_entities', 0, 'far'])
    const places = items(1000).map(() => ({ id: 'same' }))
    const answers = [data({ items: places }), body({ data: { _entities: [{ far: null }] }, errors })]
    const running = runInSlices('{ items { far } }', answers)
    running.answers[0]?.()
    running.answers[1]?.()
    let most = 0
    while (running.results.length === 0) {
      const before = taken.count
      await running.turn()
      most = Math.max(most, taken.count - before)
    }
    expect(taken.count).toBe(50 * 1000)
    expect(most).toBeLessThanOrEqual(250)
  })
})

describe('what is to be made of answers', () => {
  it('is given up beyond the budget of the request', async () => {
    const running = runInSlices(ALL, some(20_000), { maxSteps: 100_000 })
    await running.finish()
    expect(running.results).toEqual([])
    expect(running.defects).toEqual([expect.any(ExecutionLimitError)])
    expect(running.work.budget.spent).toBeLessThan(110_000)
  })

  it('may be much more than they are: one entity at many places', async () => {
    const places = items(10_000).map(() => ({ id: 'same' }))
    const more = Array.from({ length: 5_000 }, (_, no) => ({ no }))
    const replies = [data({ items: places }), data({ _entities: [{ more }] })]
    const running = runInSlices('{ items { more { no } } }', replies, { maxSteps: 1_000_000 })
    await running.finish()
    expect(running.defects).toEqual([expect.any(ExecutionLimitError)])
    expect(running.work.budget.spent).toBeLessThan(1_020_000)
  })

  it.each([
    ['more objects than one representation may hold', Array.from({ length: 20_001 }, (_, no) => ({ no }))],
  ])('is not sent if it is too much: %s', async (_, parts) => {
    const query = '{ items { weight } }'
    const answers = [data({ items: [{ id: '1', parts }] }), data({ _entities: [{ weight: 1 }] })]
    const { result, requests } = await run(graph, planIn(graph, query), answers)
    expect(requests).toHaveLength(1)
    expect(result.data).toEqual({ items: [{ weight: null }] })
    expect(result.errors).toMatchObject([{ extensions: { code: 'SUBGRAPH_REQUEST_INVALID' } }])
  })

  it('is not sent if it is longer than 16 MiB', async () => {
    const answers = [
      data({ items: Array.from({ length: 17 }, (_, index) => ({ id: `${index}`.padEnd(1024 * 1024) })) }),
    ]
    const running = runInSlices('{ items { far } }', answers, { slice: 3 })
    await running.finish()
    expect(running.called).toHaveLength(1)
    expect(running.results).toMatchObject([
      { errors: [{ extensions: { code: 'SUBGRAPH_REQUEST_INVALID' } }] },
    ])
  })

  it('tells of so many values that do not fit', async () => {
    const strict = Array.from({ length: 30_000 }, () => [null])
    const { result } = await run(graph, planIn(graph, '{ strict }'), [body({ data: { strict } })])
    expect(result.errors).toHaveLength(20_001)
    expect(result.errors.at(-1)?.extensions).toEqual({ code: 'SUBGRAPH_ERRORS_OMITTED' })
    expect(result.data?.['strict']).toHaveLength(30_000)
  })
})
