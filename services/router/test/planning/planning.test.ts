/** Long plans, as clients and operators see them. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HeldPlanning } from '../support/held-planning.ts'
import {
  CHEAP,
  codeOf,
  ENORMOUS,
  eventsOf,
  HOSTILE,
  SETTINGS,
  worldWithRouter,
} from '../support/long-plans.ts'
import { post, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

/** A request whose client leaves when told to. */
function leavingClient(router: TestRouter, query: string): { leave(): void } {
  const outgoing = httpRequest(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  outgoing.on('error', () => {})
  outgoing.end(JSON.stringify({ query }))
  return { leave: () => void outgoing.destroy() }
}

describe('an operation that takes long to plan', () => {
  it('lets others be answered in the meantime', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held)
    const order: string[] = []
    const hostile = post(router, { query: HOSTILE }).then((reply) => {
      order.push('hostile')
      return reply
    })
    await held.hasBegun()
    for (const name of ['one', 'two']) {
      const reply = await post(router, { query: `query ${name} ${CHEAP}` })
      expect(reply.json).toEqual({ data: { version: 'products' } })
      order.push(name)
    }
    held.release()
    expect((await hostile).json.data).toMatchObject({
      version: 'products',
      a0: { reviews: [{ id: 'r1' }] },
    })
    expect(order).toEqual(['one', 'two', 'hostile'])
    const answered = await until(() => {
      const lines = eventsOf(router, 'request.answered')
      return lines.length === 3 ? lines : null
    }, 'all requests are logged')
    expect(answered.map(({ operation, waitedForPlan }) => [operation, typeof waitedForPlan])).toEqual([
      ['one', 'undefined'],
      ['two', 'undefined'],
      ['Hostile', 'number'],
    ])
    expect(eventsOf(router, 'planning.long')).toMatchObject([
      {
        level: 'info',
        operation: 'Hostile',
        operationHash: expect.stringMatching(/^[0-9a-f]{12}$/),
        steps: expect.any(Number),
      },
    ])
  })

  it('is planned once for all who ask for it at the same time, and not again after that', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held)
    const replies = Array.from({ length: 6 }, () => post(router, { query: HOSTILE }))
    await held.hasBegun()
    await post(router, { query: CHEAP })
    held.release()
    const texts = (await Promise.all(replies)).map(({ text }) => text)
    expect(new Set(texts).size).toBe(1)
    expect((await post(router, { query: HOSTILE })).text).toBe(texts[0])
    expect(held.begun).toBe(1)
    expect(held.workers).toHaveLength(1)
  })

  it('is planned for those who still wait when one of them has left', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held)
    const impatient = leavingClient(router, HOSTILE)
    await held.hasBegun()
    const patient = post(router, { query: HOSTILE })
    impatient.leave()
    await until(
      () => eventsOf(router, 'request.answered').some(({ aborted }) => aborted),
      'the client has left',
    )
    held.release()
    expect((await patient).json.data?.['version']).toBe('products')
    expect(held.begun).toBe(1)
  })

  it('is not executed for a client who left, but its plan serves the next one', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held)
    const calls = shop.products.requests.length
    const impatient = leavingClient(router, HOSTILE)
    await held.hasBegun()
    impatient.leave()
    await until(
      () => eventsOf(router, 'request.answered').some(({ aborted }) => aborted),
      'the client has left',
    )
    held.release()
    await until(() => eventsOf(router, 'planning.long').length === 1, 'the plan is made')
    expect(shop.products.requests.length).toBe(calls)
    expect((await post(router, { query: HOSTILE })).json.data?.['version']).toBe('products')
    expect(held.begun).toBe(1)
  })

  it('goes to a thread under the settings that nobody changed, too', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 0)
    const { router } = await worldWithRouter(use, shop, held, { settings: 'planning: { time_limit: 1h }' })
    expect((await post(router, { query: ENORMOUS })).json.data).toMatchObject({
      a0: { b: [{ body: 'Review of 1' }] },
    })
    expect(held.heard).toEqual([['graph', 'plan']])
    const [line] = eventsOf(router, 'planning.long')
    expect(line?.['steps']).toBeGreaterThan(2500)
  })

  it('is refused when it takes too many steps, again without being planned again', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 0)
    const settings = SETTINGS.replace('{', '{ max_steps: 250,')
    const { router } = await worldWithRouter(use, shop, held, { settings })
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const reply = await post(router, { query: HOSTILE }, { accept })
      expect([reply.status, codeOf(reply)]).toEqual([400, 'PLANNING_LIMIT'])
      expect(reply.json.errors?.[0]?.message).toContain('more than 250 planning steps')
    }
    expect(held.heard).toEqual([['graph', 'plan']])
    expect(eventsOf(router, 'planning.refused')).toMatchObject([{ level: 'warn', steps: expect.any(Number) }])
  })

  it('is given up at the time limit, and the next one gets a new thread', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 1)
    const settings = 'planning: { time_limit: 500ms, threads: 1, budget: 1h }'
    const { router } = await worldWithRouter(use, shop, held, { settings })
    const reply = await post(router, { query: HOSTILE })
    expect([reply.status, codeOf(reply)]).toEqual([400, 'PLANNING_LIMIT'])
    expect(reply.json.errors?.[0]?.message).toContain('longer than 500 ms')
    expect(eventsOf(router, 'planning.refused')).toMatchObject([{ level: 'warn', operation: 'Hostile' }])
    await until(
      async () => (await post(router, { query: CHEAP })).json.data?.['version'] === 'products',
      'another thread plans',
    )
    expect(held.begun).toBe(1)
  })

  it('counts a variant of its conditions as a plan of its own', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    held.release()
    const { router } = await worldWithRouter(use, shop, held)
    const query = HOSTILE.replace('Hostile {', 'Hostile($v: Boolean!, $upc: ID!, $w: Boolean!) {')
      .replace('version', 'version @include(if: $v)')
      .replace('a0: product(upc: "1") { name', 'a0: product(upc: $upc) { name @skip(if: $w)')
    const plans = async (v: boolean, w: boolean, upc = '1') => {
      expect((await post(router, { query, variables: { v, w, upc } })).json.errors).toBeUndefined()
      return held.begun
    }
    expect(await plans(true, true)).toBe(1)
    expect(await plans(true, true, '2')).toBe(1)
    expect(await plans(true, false)).toBe(2)
    expect(await plans(false, false)).toBe(3)
    expect(await plans(true, true)).toBe(3)
  })
})

describe('a graph', () => {
  it('reaches a planning thread with its first operation and leaves it with its generation', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    held.release()
    const settings = SETTINGS.replace('}', ', threads: 1 }')
    const { world, router } = await worldWithRouter(use, shop, held, { settings })
    await post(router, { query: CHEAP })
    expect(held.heard).toEqual([])
    for (const name of ['One', 'Two']) await post(router, { query: HOSTILE.replace('Hostile', name) })
    expect(held.heard).toEqual([['graph', 'plan', 'plan']])
    await world.publish({ revision: 2, base: shop.flag })
    await until(() => held.heard[0]?.includes('forget'), 'the old graph is forgotten')
    await post(router, { query: HOSTILE })
    // The new graph came with the operations that were warmed up, before it was served.
    const firstGraph = ['graph', 'plan', 'plan']
    expect(held.heard).toEqual([[...firstGraph, 'graph', 'plan', 'plan', 'forget', 'plan']])
  })

  it('stays in the thread for as long as a request holds its generation', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 1)
    const { world, router } = await worldWithRouter(use, shop, held)
    const waiting = post(router, { query: HOSTILE })
    await held.hasBegun()
    await world.publish({ revision: 2, base: shop.flag })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the new composition is served')
    expect(held.heard[0]).toEqual(['graph', 'plan'])
    held.release()
    await waiting
    await until(() => held.heard[0]?.includes('forget'), 'the old graph is forgotten')
  })
})

describe('a hot swap during a long plan', () => {
  it('serves the new composition to others and finishes the request on its own', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 1)
    const { world, router } = await worldWithRouter(use, shop, held)
    const waiting = post(router, { query: HOSTILE })
    await held.hasBegun()
    await world.publish({ revision: 2, base: shop.flag })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the new composition is served')
    expect((await post(router, { query: CHEAP })).json).toEqual({ data: { version: 'products-next' } })
    held.release()
    expect((await waiting).json.data).toMatchObject({ version: 'products' })
    expect((await post(router, { query: HOSTILE })).json.data).toMatchObject({ version: 'products-next' })
  })
})

describe('stopping during a long plan', () => {
  it('finishes the request first', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held)
    const waiting = post(router, { query: HOSTILE })
    await held.hasBegun()
    const stopped = router[Symbol.asyncDispose]()
    await until(() => eventsOf(router, 'router.draining').length === 1, 'the router drains')
    held.release()
    expect((await waiting).json.data?.['version']).toBe('products')
    await stopped
  })

  it('ends the thread with the router when the time to drain is over', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning()
    const { router } = await worldWithRouter(use, shop, held, {
      settings: `${SETTINGS}\nshutdown: { drain_timeout: 50ms }`,
    })
    const ended = expect(post(router, { query: HOSTILE })).rejects.toThrow()
    await held.hasBegun()
    await router[Symbol.asyncDispose]()
    await ended
    expect(held.workers.map(({ threadId }) => threadId)).toEqual([-1])
    expect(eventsOf(router, 'planning.thread-lost')).toEqual([])
    expect(eventsOf(router, 'request.failed')).toEqual([])
  })
})
