/**
 * Parts of large answers are put together in slices, with others in between, and draw from the budget of the
 * request.
 */
import { describe, expect, it } from 'vitest'
import type { SubsequentResult, InitialResult } from '../../../src/execution/contract/incremental-response.ts'
import type { IncrementalOptions } from '../../../src/execution/contract/options.ts'
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import { executeIncrementally } from '../../../src/execution/execute-incrementally.ts'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { openGraph } from '../../../src/graph/graph.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { ExecutionLimitError, executionWork } from '../../../src/work/execution-work.ts'
import { supergraph } from '../../graph/supergraph-text.ts'
import { body, data } from '../support/run.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

const graph = openGraph(
  compileSupergraph(
    supergraph(
      ['A', 'B'],
      `type Query @join__type(graph: A) { items: [Item] @join__field(graph: A) other: Item @join__field(graph: A) }
       type Item @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
         id: ID! own: Int @join__field(graph: A) far: Int @join__field(graph: B) sure: Int! @join__field(graph: B)
         parts: [Part] @join__field(graph: B)
       }
       type Part @join__type(graph: B) { no: Int sure: Int! }`,
    ),
  ),
)

type Settings = Pick<IncrementalOptions, 'pendingPer' | 'signal'> & { slice?: number; maxSteps?: number }

/** Executes with turns that the test takes; `slice` as in a router unless told otherwise. */
async function runInSlices(query: string, { slice, maxSteps = 1e9, ...more }: Settings = {}) {
  const initial: InitialResult[] = []
  const parts: SubsequentResult[] = []
  const defects: unknown[] = []
  const calls: { readonly document: string; readonly done: (reply: SubgraphReply) => void }[] = []
  const waiting: (() => void)[] = []
  let turns = 0
  const next = () => {
    turns++
    return new Promise<void>((resolve) => waiting.push(resolve))
  }
  const work = { ...executionWork({ next }, maxSteps), ...(slice === undefined ? {} : { slice }) }
  const operation = prepareOperation(graph, { document: query, operationName: null, defer: true })
  const variables = operation.coerceVariables({})
  const execution = executeIncrementally(
    graph,
    {
      plan: planOperation(operation, variables, { labels: new Set() }),
      variables,
      work,
      onDefect: (error) => defects.push(error),
      fetch: ({ fetch: { document } }, done) => void calls.push({ document, done }),
      ...more,
    },
    { initial: (result) => initial.push(result), subsequent: (part) => parts.push(part) },
  )
  await Promise.resolve()
  return {
    execution,
    initial,
    parts,
    defects,
    calls,
    work,
    get turns() {
      return turns
    },
    get isWaiting() {
      return waiting.length > 0
    },
    async turn() {
      waiting.shift()?.()
      await new Promise(setImmediate)
    },
    async turnsToEnd() {
      while (waiting.length > 0) await this.turn()
    },
    /** Answers the call that asks for this field. */
    reply(field: string, reply: SubgraphReply) {
      calls.find(({ document }) => document.includes(`{${field}`))?.done(reply)
    },
    async answer(field: string, value: unknown) {
      this.reply(field, data(value))
      await this.turnsToEnd()
    },
    payloads: () => JSON.stringify([initial, parts]),
  }
}

const COUNT = 6_000
const list = <Value>(of: (index: number) => Value) => Array.from({ length: COUNT }, (_, index) => of(index))
const ITEMS = { items: list((index) => ({ id: String(index), own: index })) }
const ENTITIES = { _entities: list((far) => ({ far, sure: far })) }

const DEFERRED = '{ items { id ...@defer { far } } }'

describe('very many errors of the answer for a part', () => {
  it('are taken over a hundred in a turn, and all of them', async () => {
    const taken = { count: 0 }
    const extensions = Object.defineProperty({}, 'code', {
      enumerable: true,
      get: () => {
        taken.count++
        return 'NO'
      },
    })
    const errors = list((index) => ({ message: 'No.', path: ['_entities', index, 'far'], extensions }))
    const running = await runInSlices(DEFERRED)
    await running.answer('items', ITEMS)
    running.reply('far', body({ data: { _entities: list(() => ({ far: null })) }, errors }))
    let most = taken.count
    while (running.isWaiting) {
      const before = taken.count
      await running.turn()
      most = Math.max(most, taken.count - before)
    }
    expect(taken.count).toBe(COUNT)
    expect(most).toBeLessThanOrEqual(201)
    const completed = running.parts.flatMap((part) => part.completed ?? [])
    const reported = [...completed, ...running.parts.flatMap((part) => part.incremental ?? [])]
    expect(reported.flatMap((result) => result.errors ?? [])).toHaveLength(COUNT)
  })
})

describe('a large part', () => {
  it('is put together in slices, and is what it is in one go', async () => {
    const running = await runInSlices(DEFERRED)
    await running.answer('items', ITEMS)
    const before = running.turns
    await running.answer('far', ENTITIES)
    const whole = await runInSlices(DEFERRED, { slice: Number.POSITIVE_INFINITY })
    await whole.answer('items', ITEMS)
    await whole.answer('far', ENTITIES)
    expect(whole.turns).toBe(0)
    expect(running.payloads()).toBe(whole.payloads())
    expect(running.parts).toMatchObject([{ completed: [{ id: '1' }], hasNext: false }])
    expect(running.parts[0]?.incremental).toHaveLength(COUNT)
    // Each object is found in the answer, looked for in the list, and shown with one field.
    expect(running.turns - before).toBeGreaterThan((COUNT * (1 + 1 + 1)) / 5000 - 2)
  })

  it('takes no turn if it is small', async () => {
    const running = await runInSlices(DEFERRED)
    await running.answer('items', { items: ITEMS.items.slice(0, 200) })
    await running.answer('far', { _entities: ENTITIES._entities.slice(0, 200) })
    expect(running.parts).toHaveLength(1)
    expect(running.turns).toBe(0)
  })

  it('is put together in slices when it is one object with very many others in it', async () => {
    const running = await runInSlices('{ other { id ...@defer { parts { no } } } }')
    await running.answer('other', { other: { id: '1' } })
    await running.answer('parts', { _entities: [{ parts: list((no) => ({ no })) }] })
    expect(running.parts[0]?.incremental[0]?.data['parts']).toHaveLength(COUNT)
    expect(running.turns).toBeGreaterThan((COUNT * 3) / 5000 - 2)
  })

  it.each(['fragment', 'item'] as const)(
    'that fails in each of its objects is put together in slices: announced by %s',
    async (pendingPer) => {
      const query = '{ items { id ...@defer { sure } ...@defer { far sure } } }'
      const count = 1_000
      const without = { _entities: list((far) => ({ far, sure: null })).slice(0, count) }
      const runs = [
        await runInSlices(query, { pendingPer, slice: 500 }),
        await runInSlices(query, { pendingPer, slice: Number.POSITIVE_INFINITY }),
      ] as const
      for (const running of runs) {
        await running.answer('items', { items: ITEMS.items.slice(0, count) })
        await running.answer('sure', without)
        await running.answer('far', without)
        expect(running.parts.at(-1)?.hasNext).toBe(false)
      }
      const [running, whole] = runs
      expect(running.payloads()).toBe(whole.payloads())
      // Both fragments are completed for each object, and the second one once more, to learn why it failed.
      expect(running.turns).toBeGreaterThan((count * (3 + 3 + 3 + 4)) / 500)
    },
  )

  it('lets no slice take much more than its steps, whatever is done in it', async () => {
    const query = '{ items { id ...@defer { parts { no } } ...@defer { far ...@defer { own } } } }'
    const running = await runInSlices(query, { slice: 100, pendingPer: 'item' })
    let before = running.work.budget.spent
    const taken: number[] = []
    for (const [field, value] of [
      ['items', ITEMS],
      ['parts', { _entities: list(() => ({ parts: [{ no: 1 }, { no: null }] })) }],
      ['far', ENTITIES],
      ['own', { _entities: list((own) => ({ own })) }],
    ] as const) {
      running.reply(field, data(value))
      for (;;) {
        taken.push(running.work.budget.spent - before)
        before = running.work.budget.spent
        if (!running.isWaiting) break
        await running.turn()
      }
    }
    expect(running.parts.at(-1)?.hasNext).toBe(false)
    expect(Math.max(...taken)).toBeLessThan(250)
  })
})

describe('while a part is put together in slices', () => {
  const query =
    '{ items { id ...@defer(label: "far") { far } } other { id ...@defer(label: "parts") { parts { no } } } }'
  const PARTS = { _entities: [{ parts: [{ no: 1 }] }] }

  const whileFarIsMade = async (settings: Settings = {}) => {
    const running = await runInSlices(query, settings)
    await running.answer('items', { ...ITEMS, other: { id: '1' } })
    running.reply('far', data(ENTITIES))
    await running.turn()
    expect(running.isWaiting).toBe(true)
    return running
  }

  it('other answers that come wait, and their parts follow', async () => {
    const running = await whileFarIsMade()
    running.reply('parts', data(PARTS))
    expect(running.parts).toHaveLength(0)
    await running.turnsToEnd()
    expect(running.parts.map(({ incremental, hasNext }) => [incremental.length, hasNext])).toEqual([
      [COUNT, true],
      [1, false],
    ])
  })

  it('an answer that comes too late is a failure of its own part only', async () => {
    const running = await whileFarIsMade()
    running.reply('parts', { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'No answer came in time.' })
    running.reply('parts', data(PARTS))
    await running.turnsToEnd()
    expect(running.parts).toHaveLength(2)
    expect(running.parts[0]?.incremental.every(({ errors }) => errors === undefined)).toBe(true)
    expect(running.parts[1]?.incremental).toMatchObject([
      { data: { parts: null }, errors: [{ extensions: { code: 'SUBGRAPH_TIMEOUT' } }] },
    ])
  })

  it.each([
    ['who aborts it', (running: { execution: { abort(): void } }) => running.execution.abort()],
    ['whose signal says so', (_: unknown, controller: AbortController) => controller.abort()],
  ])('nothing is gone on with for a client that left: %s', async (_, leave) => {
    const controller = new AbortController()
    const running = await whileFarIsMade({ signal: controller.signal })
    leave(running, controller)
    const { turns } = running
    const { spent } = running.work.budget
    await running.turnsToEnd()
    expect(running.turns).toBe(turns)
    expect(running.work.budget.spent).toBe(spent)
    expect(running.parts).toEqual([])
    expect(running.defects).toEqual([])
  })

  it('a client that reads too slowly gets that part, and the next one when it has read on', async () => {
    const running = await whileFarIsMade()
    running.execution.pause()
    running.reply('parts', data(PARTS))
    await running.turnsToEnd()
    expect(running.parts).toHaveLength(1)
    running.execution.resume()
    expect(running.parts).toHaveLength(2)
  })
})

describe('the parts of an answer', () => {
  it('draw from one budget, with all that came before', async () => {
    const running = await runInSlices(DEFERRED, { maxSteps: 150_000 })
    await running.answer('items', ITEMS)
    expect(running.initial).toHaveLength(1)
    expect(running.defects).toEqual([])
    await running.answer('far', { _entities: ENTITIES._entities.map(() => ({ far: 1 })) })
    const { spent } = running.work.budget
    const tight = await runInSlices(DEFERRED, { maxSteps: spent - 1 })
    await tight.answer('items', ITEMS)
    expect(tight.initial).toHaveLength(1)
    await tight.answer('far', ENTITIES)
    expect(tight.parts).toEqual([])
    expect(tight.defects).toEqual([expect.any(ExecutionLimitError)])
  })

  it('may be much more than subgraphs sent: one entity at many places', async () => {
    const running = await runInSlices('{ items { ...@defer { parts { no } } } }', { maxSteps: 1_000_000 })
    await running.answer('items', { items: list(() => ({ id: 'same' })) })
    await running.answer('parts', { _entities: [{ parts: list((no) => ({ no })) }] })
    expect(running.defects).toEqual([expect.any(ExecutionLimitError)])
    expect(running.work.budget.spent).toBeLessThan(1_020_000)
  })
})
