import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, PlanningError } from '@switchyard/engine'
import { createLogger } from '@switchyard/service-kit'
import { afterAll, describe, expect, it } from 'vitest'
import { PlanningEvents } from '../../src/planning/events.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { warmUp } from '../../src/generations/build/warm-up.ts'
import { packGraph } from '../../src/planning/packed-graph.ts'
import { type PlanningClock, SYSTEM_CLOCK } from '../../src/planning/planning-clock.ts'
import { Planning } from '../../src/planning/planning.ts'
import { planningConfigOf, PlanningSection } from '../../src/planning/settings.ts'
import { SOMEBODY } from '../support/clients.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const NONE: ReadonlySet<string> = new Set()
const forever = new AbortController().signal

function composition(
  name: 'base' | 'next',
  { mainThreadSteps = 20_000, budget = 60_000 }: { mainThreadSteps?: number; budget?: number } = {},
  clock: PlanningClock = SYSTEM_CLOCK,
  mayDefer = false,
) {
  const sdl = readFileSync(new URL(`../fixtures/supergraph-${name}.graphql`, import.meta.url), 'utf8')
  const graph = openGraph(compileSupergraph(sdl))
  const planning = stack.use(
    new Planning({
      mainThreadSteps,
      config: { ...planningConfigOf(PlanningSection.parse({ threads: 1, time_limit: '60s' })), budget },
      events: new PlanningEvents(createLogger({ name: 'router', to: { write: () => {} } })),
      clock,
    }),
  )
  const operations = new OperationCache(graph, { mayDefer }, new OperationMemory(1_000_000))
  const planner = planning.open(packGraph(graph.compiled), name)
  const ask = async (
    document: string,
    conditions: ReadonlyMap<string, unknown> = new Map(),
    times = 1,
    isWhole = false,
  ) => {
    for (let use = 0; use < times; use++) {
      const entry = operations.get(document, null)
      await planner.plan(entry, conditions, { labels: NONE, granted: new Set(), isWhole }, () => SOMEBODY)
    }
  }
  return { operations, planner, ask }
}

describe('warming up', () => {
  it('prepares and plans the hottest operations, with the conditions they were used with', async () => {
    const from = composition('base')
    const to = composition('next')
    const conditional = 'query H($w: Boolean!) { topProducts { name @include(if: $w) } }'
    await from.ask(conditional, new Map([['w', true]]), 5)
    await from.ask('{ version }')
    await from.ask('{ fails }', new Map(), 3)

    expect(await warmUp(from.operations, to, 2, forever)).toBe(2)
    const warmed = to.operations.hottest(9)
    expect(warmed.map(({ document }) => document)).toEqual([conditional, '{ fails }'])
    expect(warmed[0]?.plans.latest?.conditions).toEqual(new Map([['w', true]]))
    expect(warmed.map(({ plans }) => plans.count)).toEqual([1, 1])
  })

  it('takes of the plans of an operation the one used last', async () => {
    const from = composition('base')
    const to = composition('next')
    const conditional = 'query H($w: Boolean!) { topProducts { name @include(if: $w) } }'
    for (const w of [true, false, true, false]) await from.ask(conditional, new Map([['w', w]]))
    await from.ask(conditional, new Map([['w', true]]))
    expect(await warmUp(from.operations, to, 9, forever)).toBe(1)
    expect(to.operations.hottest(1)[0]?.plans.latest?.conditions).toEqual(new Map([['w', true]]))
  })

  it.each(['on the serving thread', 'in a planning thread'])(
    'plans fragments as deferred as they were, %s',
    async (where) => {
      const steps = where === 'in a planning thread' ? 0 : 20_000
      const deferring = () => composition('base', { mainThreadSteps: steps }, SYSTEM_CLOCK, true)
      const query = 'query D($l: Boolean) { product(upc: 1) { upc ... @defer(if: $l) { name } } }'
      for (const [l, deferred, isWhole] of [
        [undefined, true, false],
        [true, true, false],
        [false, false, false],
        [true, false, true],
      ] as const) {
        const from = deferring()
        const to = deferring()
        const conditions = new Map(l === undefined ? [] : [['l', l]])
        await from.ask(query, conditions, 1, isWhole)
        expect(await warmUp(from.operations, to, 9, forever)).toBe(1)
        const entry = to.operations.get(query, null)
        expect(entry.plans.count).toBe(1)
        const chosen = { labels: NONE, granted: new Set<number>(), isWhole }
        const plan = to.planner.plan(entry, conditions, chosen, () => SOMEBODY)
        // It was there: nobody has to wait for it.
        expect(plan).toMatchObject({ deferred })
        expect(entry.plans.count).toBe(1)
      }
    },
  )

  it('takes the plan of a variant that can be planned, where another could not', async () => {
    const from = composition('base')
    await from.ask('{ version }')
    const entry = from.operations.get('{ version }', null)
    const labels = new Set(['x'])
    const refused = {
      key: 'x',
      conditions: new Map(),
      labels,
      granted: new Set<number>(),
      isWhole: false,
    }
    entry.plans.keep(refused, new PlanningError('PLANNING_LIMIT', 'too long'))
    expect(entry.plans.latest?.key).toBe('')
    expect(await warmUp(from.operations, composition('next'), 9, forever)).toBe(1)
  })

  it('leaves out what the new composition does not know', async () => {
    const from = composition('next')
    const to = composition('base')
    await from.ask('{ topProducts { discount } }')
    await from.ask('{ version }')
    expect(await warmUp(from.operations, to, 9, forever)).toBe(1)
    expect(to.operations.hottest(9).map(({ document }) => document)).toEqual(['{ version }'])
  })

  it('leaves out what could not be planned before', async () => {
    const from = composition('base')
    from.operations.get('{ version }', null)
    expect(await warmUp(from.operations, composition('next'), 9, forever)).toBe(0)
  })

  it('plans in a thread what takes long, and leaves the budget to the clients', async () => {
    const from = composition('base')
    const to = composition('next', { mainThreadSteps: 0, budget: 0.001 }, { now: () => 0, cpu: () => 0 })
    await from.ask('{ version }')
    await from.ask('{ fails }')
    expect(await warmUp(from.operations, to, 9, forever)).toBe(2)
    expect(to.operations.hottest(9).map(({ plans }) => plans.long)).toEqual([true, true])
    // However small the budget is, and though it never fills up: it is still whole.
    await to.ask('{ slow(milliseconds: 1) }')
  })

  it('stops when it is told to', async () => {
    const from = composition('base')
    await from.ask('{ version }')
    expect(await warmUp(from.operations, composition('next'), 9, AbortSignal.abort())).toBe(0)
  })
})
