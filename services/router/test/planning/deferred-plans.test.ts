/** Which plan a request gets whose fragments may be deferred. */
import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, type Plan } from '@switchyard/engine'
import { createLogger } from '@switchyard/service-kit'
import { afterAll, describe, expect, it } from 'vitest'
import { PlanningEvents } from '../../src/planning/events.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { packGraph } from '../../src/planning/packed-graph.ts'
import { SYSTEM_CLOCK } from '../../src/planning/planning-clock.ts'
import { Planning } from '../../src/planning/planning.ts'
import { planningConfigOf, PlanningSection } from '../../src/planning/settings.ts'
import { SOMEBODY } from '../support/clients.ts'

const sdl = readFileSync(new URL('../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')
const compiled = compileSupergraph(sdl)
const stack = new AsyncDisposableStack()
const planning = stack.use(
  new Planning({
    mainThreadSteps: 20_000,
    config: planningConfigOf(PlanningSection.parse({ threads: 1, time_limit: '60s', budget: '60s' })),
    events: new PlanningEvents(createLogger({ name: 'router', to: { write: () => {} } })),
    clock: SYSTEM_CLOCK,
  }),
)
afterAll(() => stack.disposeAsync())

/** A router's plans, with "engine.enable_defer" on or off. */
function plansOf(mayDefer: boolean) {
  const graph = openGraph(compiled)
  const operations = new OperationCache(graph, { mayDefer }, new OperationMemory(1_000_000))
  const planner = planning.open(packGraph(compiled), 'shop')
  return async (
    document: string,
    variables: Readonly<Record<string, unknown>> = {},
    isWhole = false,
  ): Promise<Plan> => {
    const entry = operations.get(document, null)
    return await planner.plan(
      entry,
      entry.operation.coerceVariables(variables),
      { labels: new Set(), granted: new Set(), isWhole },
      () => SOMEBODY,
    )
  }
}

const DOCUMENT =
  'query ($late: Boolean, $full: Boolean!) { topProducts { name ... @defer(if: $late) { price } upc @include(if: $full) } }'
const PLAIN = 'query ($full: Boolean!) { topProducts { name price upc @include(if: $full) } }'

describe('plans with @defer', () => {
  it('are one for each value of "if", kept as long as any', async () => {
    const plan = plansOf(true)
    const [late, early] = [
      await plan(DOCUMENT, { late: true, full: false }),
      await plan(DOCUMENT, { late: false, full: false }),
    ]
    expect([late.deferred, early.deferred]).toEqual([true, false])
    expect(await plan(DOCUMENT, { late: true, full: false })).toBe(late)
    expect(await plan(DOCUMENT, { late: false, full: false })).toBe(early)
    expect(await plan(DOCUMENT, { full: false })).toEqual(late)
    expect(await plan(DOCUMENT, { late: false, full: true })).not.toEqual(early)
  })

  it('are those of the operation without the directive while none is active', async () => {
    const plan = plansOf(true)
    for (const full of [true, false]) {
      expect(await plan(DOCUMENT, { late: false, full })).toEqual(await plan(PLAIN, { full }))
      expect(
        await plan(DOCUMENT.replace('$late)', 'false)').replace('$late: Boolean, ', ''), { full }),
      ).toEqual(await plan(PLAIN, { full }))
    }
  })

  it('are those of the operation without the directive for a client that takes its answer in one piece', async () => {
    const plan = plansOf(true)
    const plain = await plan(PLAIN, { full: true })
    const late = await plan(DOCUMENT, { late: true, full: true })
    const whole = await plan(DOCUMENT, { late: true, full: true }, true)
    expect(whole).toEqual(plain)
    expect([late.deferred, whole.deferred]).toEqual([true, false])
    // Both are kept.
    expect(await plan(DOCUMENT, { late: true, full: true })).toBe(late)
    expect(await plan(DOCUMENT, { late: true, full: true }, true)).toBe(whole)
    // Without @defer there is one plan for all clients.
    expect(await plan(PLAIN, { full: true }, true)).toBe(plain)
  })

  it('show introspection the directive, for a client that takes its answer in one piece as well', async () => {
    const document = '{ __type(name: "Product") { name } topProducts { name ... @defer { price } } }'
    const whole = await plansOf(true)(document, {}, true)
    expect([whole.deferred, whole.introspection?.showsDefer]).toEqual([false, true])
  })

  it('are those of the operation without the directive where nothing may be deferred', async () => {
    const [on, off] = [plansOf(true), plansOf(false)]
    const plain = await on(PLAIN, { full: true })
    expect(await off(DOCUMENT, { late: true, full: true })).toEqual(plain)
    // Whatever the value of "if", it is one plan.
    const [late, early] = [
      await off(DOCUMENT, { late: true, full: true }),
      await off(DOCUMENT, { late: false, full: true }),
    ]
    expect(early).toBe(late)
  })
})
