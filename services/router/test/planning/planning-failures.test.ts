/** Planning threads that fail, and more planning than there is time for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HeldPlanning } from '../support/held-planning.ts'
import { CHEAP, codeOf, eventsOf, HOSTILE, worldWithRouter } from '../support/long-plans.ts'
import { post } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

/** Stands still until a test moves it; computing takes no time. */
function standingClock() {
  const clock = { now: 1000, planning: { now: () => clock.now, cpu: () => 0 } }
  return clock
}

describe('a planning thread that dies', () => {
  it.each(['exit', 'throw', 'exhaust memory'] as const)(
    'by "%s" is answered with a clear error to all who waited, and replaced',
    async (afterwards) => {
      await using use = new AsyncDisposableStack()
      const held = new HeldPlanning({ afterwards }, 1)
      const { router } = await worldWithRouter(use, shop, held)
      const waiting = [post(router, { query: HOSTILE }), post(router, { query: HOSTILE })]
      await held.hasBegun()
      await post(router, { query: CHEAP })
      held.release()
      for (const reply of await Promise.all(waiting)) {
        expect([reply.status, codeOf(reply)]).toEqual([500, 'PLANNING_FAILED'])
        expect(reply.json.errors).toHaveLength(1)
      }
      expect(eventsOf(router, 'planning.thread-lost')).toMatchObject([
        { level: 'error', operation: 'Hostile', reason: expect.any(String) },
      ])
      expect((await post(router, { query: HOSTILE })).json.data?.['version']).toBe('products')
      expect(held.workers).toHaveLength(2)
    },
  )
})

describe('a fault of the planner in a thread', () => {
  it('is logged in full and shown as an internal error, and the thread goes on', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({ afterwards: 'fail' })
    held.release()
    const { router } = await worldWithRouter(use, shop, held)
    for (const name of ['One', 'Two']) {
      const reply = await post(router, { query: HOSTILE.replace('Hostile', name) })
      expect([reply.status, codeOf(reply)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
      expect(reply.text).not.toContain('a fault of the planner')
    }
    expect(eventsOf(router, 'request.failed')).toMatchObject(
      Array.from({ length: 2 }, () => ({
        err: { message: 'a fault of the planner', stack: expect.stringContaining('RangeError') },
      })),
    )
    expect(held.workers).toHaveLength(1)
  })
})

describe('a planning thread that cannot be started', () => {
  it('is an error for those who wait for it, and tried again for the next ones', async () => {
    await using use = new AsyncDisposableStack()
    const held = new HeldPlanning({}, 0)
    const failures = [new Error('no more threads')]
    const createPlanningWorker = () => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return held.createWorker()
    }
    const { router } = await worldWithRouter(use, shop, held, { overrides: { createPlanningWorker } })
    const reply = await post(router, { query: HOSTILE })
    expect([reply.status, codeOf(reply)]).toEqual([500, 'PLANNING_FAILED'])
    expect(eventsOf(router, 'planning.thread-lost')).toMatchObject([
      { reason: 'it could not be started: no more threads' },
    ])
    expect((await post(router, { query: HOSTILE })).json.data?.['version']).toBe('products')
  })
})

describe('too much planning', () => {
  const settings = 'planning: { time_limit: 1h, budget: 200ms }'

  it('refuses what has no plan with 503 and Retry-After, answers what has one, and ends with time', async () => {
    await using use = new AsyncDisposableStack()
    const clock = standingClock()
    const held = new HeldPlanning({ milliseconds: 2500 })
    held.release()
    const { router } = await worldWithRouter(use, shop, held, {
      settings,
      overrides: { clock: clock.planning },
    })
    expect((await post(router, { query: CHEAP })).status).toBe(200)
    expect((await post(router, { query: HOSTILE })).status).toBe(200)

    // 500 of the 2500 ms are owed: two and a half seconds' worth.
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const refused = await post(router, { query: 'query New { version }' }, { accept })
      expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
        503,
        'PLANNING_OVERLOADED',
        '3',
      ])
    }
    expect((await post(router, { query: CHEAP })).json).toEqual({ data: { version: 'products' } })
    expect((await post(router, { query: HOSTILE })).status).toBe(200)
    expect(eventsOf(router, 'planning.overloaded')).toMatchObject([
      { level: 'warn', refused: 1, budget: 200 },
    ])

    clock.now += 2501
    expect((await post(router, { query: 'query New { version }' })).status).toBe(200)
  })

  it('refuses those in line as well when their turn comes', async () => {
    await using use = new AsyncDisposableStack()
    const clock = standingClock()
    const held = new HeldPlanning({ milliseconds: 2500 })
    const { router } = await worldWithRouter(use, shop, held, {
      settings: settings.replace('}', ', threads: 1 }'),
      overrides: { clock: clock.planning },
    })
    const first = post(router, { query: HOSTILE })
    await held.hasBegun()
    const second = post(router, { query: HOSTILE.replace('Hostile', 'Second') })
    await post(router, { query: CHEAP })
    held.release()
    expect((await first).status).toBe(200)
    const refused = await second
    expect([refused.status, codeOf(refused)]).toEqual([503, 'PLANNING_OVERLOADED'])
    expect(held.begun).toBe(1)
  })

  it('of one client leaves its share to every other, by address and then by name', async () => {
    await using use = new AsyncDisposableStack()
    const clock = standingClock()
    const held = new HeldPlanning({ milliseconds: 2500 })
    held.release()
    const { router } = await worldWithRouter(use, shop, held, {
      settings: `${settings}\ntraffic: { trusted_proxies: [127.0.0.0/8, "::1"] }`,
      overrides: { clock: clock.planning },
    })
    const ask = async (query: string, address: string, name?: string) => {
      const headers = { 'x-forwarded-for': address, ...(name && { 'graphql-client-name': name }) }
      return (await post(router, { query }, headers)).status
    }
    const noisy = '2001:db8:1:2::1'
    expect(await ask(HOSTILE, noisy, 'noisy')).toBe(200)
    expect(await ask('query New { version }', noisy, 'noisy')).toBe(503)
    // The same network.
    expect(await ask('query New { version }', '2001:db8:1:2::2', 'noisy')).toBe(503)
    expect(await ask('query Other { version }', noisy, 'quiet')).toBe(503)
    expect(await ask('query New { version }', '198.51.100.7')).toBe(200)
    // Half of what was owed is paid back: the name has still to wait, and others of its address have not.
    clock.now += 2000
    expect(await ask('query New2 { version }', noisy, 'noisy')).toBe(503)
    expect(await ask('query New2 { version }', noisy, 'quiet')).toBe(200)
  })

  it('is one log line at first and one in ten seconds after that', async () => {
    await using use = new AsyncDisposableStack()
    const clock = standingClock()
    const held = new HeldPlanning({ milliseconds: 100_000 })
    held.release()
    const { router } = await worldWithRouter(use, shop, held, {
      settings,
      overrides: { clock: clock.planning },
    })
    await post(router, { query: HOSTILE })
    for (let second = 0; second < 25; second++) {
      const reply = await post(router, { query: `query New${second} { version }` })
      expect(reply.status).toBe(503)
      clock.now += 1000
    }
    expect(eventsOf(router, 'planning.overloaded').map(({ refused }) => refused)).toEqual([1, 10, 10])
  })
})
