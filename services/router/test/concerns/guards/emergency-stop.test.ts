/** A router that stops a guarded rollout by itself, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guarded, type GuardedRouter, startGuarded, USERS } from '../../support/guarded-router.ts'
import type { Reply } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

/** Requests that join others are not counted, so none does. */
const UNSHARED = { settings: 'traffic: { share_inflight: false }' }
const STOP = { errors: { percent: 20 } }
const [ann = '', bea = ''] = USERS.inside
const [cid = ''] = USERS.outside

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const flagOf = ({ headers }: Reply) => headers['x-feature-flag'] ?? null
const stopsOf = ({ router }: GuardedRouter) => router.logs.filter(({ event }) => event === 'rollout.stopped')

/** Sixteen at a time, by one user after the other. */
async function load(router: GuardedRouter, users: readonly string[], queries: readonly string[]) {
  const replies: Reply[] = []
  let next = 0
  const one = async () => {
    for (let at = next++; at < queries.length; at = next++)
      replies.push(await router.ask(queries[at] ?? '', users[at % users.length] ?? ''))
  }
  await Promise.all(Array.from({ length: 16 }, one))
  return replies
}

/** Equal queries at once by many users, which time out: few executions answer all of them. */
async function heldSlowQuery(router: GuardedRouter): Promise<readonly Reply[]> {
  const users = [...USERS.inside, ...USERS.inside, ...USERS.inside]
  const query = 'query Slow { slow(milliseconds: 20000) }'
  return Promise.all(users.map((user) => router.ask(query, user)))
}

const FAILING = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? '{ fails }' : '{ version }'))

describe('a router whose errors inside a percentage exceed the emergency stop', () => {
  it('counts each client that got an error, also those that one execution answered', async () => {
    const rollouts = [guarded({ guard: { step: 7, stop: STOP } })]
    await using router = await startGuarded(shop, rollouts, { settings: 'subgraphs: { timeout: 1s }' })
    const gate = await heldSlowQuery(router)
    expect(gate.map(({ json }) => json.errors?.[0]?.extensions['code'])).toEqual(
      gate.map(() => 'SUBGRAPH_TIMEOUT'),
    )
    expect(stopsOf(router)).toHaveLength(1)
    expect(flagOf(await router.ask('{ version }', ann))).toBeNull()
    // The groups have one request for each execution.
    const { figures, stopped } = await router.reported((told) => told.stopped !== undefined, 'the stop')
    expect(stopped?.errors).toBeGreaterThanOrEqual(50)
    expect(figures.inside.requests).toBeLessThan(20)
  })

  it('gives everybody base from then on, says so, and refuses nobody', async () => {
    await using router = await startGuarded(shop, [guarded({ guard: { step: 7, stop: STOP } })], UNSHARED)
    const replies = await load(router, USERS.inside, FAILING)
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect([
      flagOf(await router.ask('{ version }', ann)),
      flagOf(await router.ask('{ version }', bea)),
    ]).toEqual([null, null])
    const lines = stopsOf(router)
    expect(lines).toEqual([
      expect.objectContaining({ rollout: 'catalogue', flag: 'next', revision: 1, percent: 50, limit: 20 }),
    ])
    const told = await router.reported(({ stopped }) => stopped !== undefined, 'the stop is reported')
    const { stopped, figures } = told
    const { requests, errors, failedClusters } = lines[0] ?? {}
    expect(stopped).toEqual({ requests, errors, failedClusters })
    expect(stopped?.requests).toBeGreaterThanOrEqual(50)
    expect((stopped?.errors ?? 0) * 5).toBeGreaterThan(stopped?.requests ?? 0)
    // The flag answers those that name it, and nothing more is counted.
    expect(flagOf(await router.ask('{ version }', ann, { 'x-feature-flag': 'next' }))).toBe('next')
    await load(router, [...USERS.inside, ...USERS.outside], FAILING)
    const later = await router.reported(({ beat }) => beat > told.beat, 'a later report')
    expect(later.figures).toEqual(figures)
    expect(later.stopped).toEqual(stopped)
    expect(stopsOf(router)).toHaveLength(1)
  })

  it('releases it again with the next revision, and judges it by what comes then', async () => {
    const rollouts = [guarded({ guard: { step: 7, stop: STOP } })]
    await using router = await startGuarded(shop, rollouts, UNSHARED)
    await load(router, USERS.inside, FAILING)
    const { figures } = await router.reported(({ stopped }) => stopped !== undefined, 'the stop is reported')
    await router.serve(2, rollouts)
    // One more error is no emergency, although the last ten seconds had many.
    await router.ask('{ fails }', ann)
    expect(flagOf(await router.ask('{ version }', bea))).toBe('next')
    const later = await router.reported(({ revision }) => revision === 2, 'the next revision')
    expect(later.stopped).toBeUndefined()
    expect(later.figures.inside.requests).toBeGreaterThanOrEqual(figures.inside.requests)
    await load(router, USERS.inside, FAILING)
    expect(flagOf(await router.ask('{ version }', bea))).toBeNull()
    expect(stopsOf(router).map(({ revision }) => revision)).toEqual([1, 2])
  })

  it.each([
    ['errors outside the percentage', USERS.outside, STOP],
    ['errors of three users', USERS.inside.slice(0, 3), STOP],
    ['errors below the limit', USERS.inside, { errors: { percent: 60 } }],
    ['a rollout without an emergency stop', USERS.inside, undefined],
  ])('does not stop it for %s', async (_what, users, stop) => {
    const guard = { step: 7, ...(stop === undefined ? {} : { stop }) }
    await using router = await startGuarded(shop, [guarded({ guard })], UNSHARED)
    await load(router, users, FAILING)
    expect(flagOf(await router.ask('{ version }', ann))).toBe('next')
    expect(flagOf(await router.ask('{ version }', cid))).toBeNull()
    expect(stopsOf(router)).toEqual([])
  })
})

describe('floods', () => {
  it('of operations and keys leave reports at most 32 KiB long, with the frequent operations', async () => {
    await using router = await startGuarded(shop, [guarded()], UNSHARED)
    const lengths: number[] = []
    router.world.announcer.subscribe('router.figures.>', (message) =>
      lengths.push(Buffer.byteLength(JSON.stringify(message))),
    )
    const flood = Array.from({ length: 1500 }, (_, at) =>
      at % 10 === 0 ? 'query Products { version }' : `query Flood${at}${'x'.repeat(40)} { version }`,
    )
    const users = Array.from({ length: 1500 }, (_, at) => `made-up-${at}`)
    const replies = await load(router, users, flood)
    expect(replies).toHaveLength(1500)
    const { figures } = await router.reported(
      (told) => told.figures.inside.requests + told.figures.control.requests > 1000,
      'most of them are reported',
    )
    expect(figures.operations[0]?.name).toBe('Products')
    expect(figures.operations).toHaveLength(20)
    expect(Math.max(...lengths)).toBeLessThan(32 * 1024)
  })
})
