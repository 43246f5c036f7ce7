/** Rate limits over HTTP, each process for itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RouterSettings } from '../../../src/config/settings.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
})
afterAll(() => stack.disposeAsync())

async function limitedBy(rules: string, more = ''): Promise<TestRouter> {
  const router = stack.use(await routerOn(world, { settings: `rate_limits: { rules: [${rules}] }\n${more}` }))
  await router.ready
  return router
}
const ask = (router: TestRouter, headers: Record<string, string> = {}, query = '{ version }') =>
  post(router, { query }, headers)
const statuses = async (router: TestRouter, count: number, headers: Record<string, string> = {}) => {
  const found: number[] = []
  for (let index = 0; index < count; index++) found.push((await ask(router, headers)).status)
  return found
}

describe('a rate limit', () => {
  it('refuses with 429, the time to wait, and a message that says what is allowed', async () => {
    const router = await limitedBy('{ name: all, limit: 2, per: 1h, key: [] }')
    expect(await statuses(router, 2)).toEqual([200, 200])
    const { status, headers, json } = await ask(router)
    expect([status, headers['retry-after'], json.errors]).toEqual([
      429,
      '1800',
      [
        {
          message: 'There are too many requests: the limit "all" allows 2 in 3600 s. Try again in 1800 s.',
          extensions: { code: 'RATE_LIMITED' },
        },
      ],
    ])
    expect(router.logs.findLast(({ event }) => event === 'request.answered')).toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  it('counts by a header, where requests without it share one limit or have none', async () => {
    const sharing = await limitedBy('{ name: a, limit: 1, per: 1h, key: [{ header: X-Tenant }] }')
    expect(await statuses(sharing, 2, { 'x-tenant': 'a' })).toEqual([200, 429])
    expect(await statuses(sharing, 2, { 'x-tenant': 'b' })).toEqual([200, 429])
    expect(await statuses(sharing, 2)).toEqual([200, 429])
    const skipping = await limitedBy(
      '{ name: a, limit: 1, per: 1h, key: [{ header: X-Tenant }], when_absent: skip }',
    )
    expect(await statuses(skipping, 3)).toEqual([200, 200, 200])
  })

  it('counts by the name that a client gives itself, and by its address', async () => {
    const router = await limitedBy(
      '{ name: client, limit: 1, per: 1h, key: [client], when_absent: skip }, { name: address, limit: 3, per: 1h }',
    )
    expect(await statuses(router, 2, { 'graphql-client-name': 'web' })).toEqual([200, 429])
    // What one limit refuses takes nothing from the others.
    expect(await statuses(router, 3)).toEqual([200, 200, 429])
  })

  it('counts what is executed together, too', async () => {
    const router = await limitedBy('{ name: all, limit: 3, per: 1h, key: [] }')
    const all = await Promise.all(
      Array.from({ length: 10 }, () => ask(router, {}, '{ slow(milliseconds: 50) }')),
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  it('that is not enforced refuses nothing', async () => {
    const router = await limitedBy('{ name: all, limit: 1, per: 1h, key: [], enforce: false }')
    expect(await statuses(router, 3)).toEqual([200, 200, 200])
  })

  it('charges what operations cost', async () => {
    const router = await limitedBy(
      '{ name: all, limit: 25, per: 1h, key: [], charge: cost }',
      'costs: { mode: measure, list_size: 10 }',
    )
    const cheap = () => ask(router).then(({ status }) => status)
    const dear = () => ask(router, {}, '{ topProducts { name } }')
    expect([(await dear()).status, await cheap(), (await dear()).status]).toEqual([200, 200, 200])
    const refused = await dear()
    expect([refused.status, refused.json.errors?.[0]?.message]).toEqual([
      429,
      expect.stringMatching(
        /^Operations cost too much: the limit "all" allows 25 in 3600 s\. Try again in \d+ s\.$/,
      ),
    ])
    expect(await cheap()).toBe(200)
    const never = await ask(router, {}, '{ topProducts { reviews { body } } }')
    expect([never.headers['retry-after'], never.json.errors?.[0]?.message]).toEqual([
      undefined,
      expect.stringContaining('never more than 25 at once'),
    ])
  })
})

describe('settings', () => {
  it.each([
    [{ rules: [{ name: 'a', limit: 0.5, per: '1s' }] }, /no request would ever be admitted/],
    [{ rules: [{ name: 'a', limit: 1, per: '1s', charge: 'cost' }] }, /costs are not calculated/],
    [{ rules: [{ name: 'a', limit: 1, per: '0s' }] }, /at least 1ms/],
    [{ rules: [{ name: 'a', limit: 1, per: '1s', key: ['ip'] }] }, /expected address, client, /],
    [
      {
        rules: [
          { name: 'a', limit: 1, per: '1s' },
          { name: 'a', limit: 2, per: '1s' },
        ],
      },
      /a name of its own/,
    ],
  ])('%j are refused', (limits, message) => {
    const issues = RouterSettings.safeParse({ rate_limits: limits }).error?.issues
    expect(issues?.[0]?.message).toMatch(message)
  })
})
