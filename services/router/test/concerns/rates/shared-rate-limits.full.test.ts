/** Three routers that count together in one Redis, which goes away and comes back. */
import { redisServerAvailable, startRedisServer, type SpawnedServer } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const ROUTERS = 3
const BURST = 1000

describe.skipIf(!redisServerAvailable())('routers with one Redis', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let world: ConfigWorld
  beforeAll(async () => {
    shop = stack.use(await startShop())
    world = stack.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
  })
  afterAll(() => stack.disposeAsync())

  /** Redis has `redisTimeout` milliseconds, since a machine with other work may answer late. */
  async function routersOn(
    redis: SpawnedServer,
    settings: string,
    redisTimeout: number,
  ): Promise<readonly TestRouter[]> {
    const limits = `rate_limits: { redis: { url: "${redis.url}" }, ${settings} }`
    const routers = await Promise.all(
      Array.from({ length: ROUTERS }, (_, index) =>
        routerOn(world, { settings: limits, overrides: { redisTimeout }, instance: `r${index + 1}` }),
      ),
    )
    for (const router of routers) stack.use(router)
    await Promise.all(routers.map(({ ready }) => ready))
    return routers
  }
  const statusOf = async (router: TestRouter) => (await post(router, { query: '{ version }' })).status

  it('admit together what the limit allows, and not one more', async () => {
    await using redis = await startRedisServer()
    // So slow that hardly anything runs in while the test lasts, however slow the machine is.
    const rule = `{ name: all, limit: ${BURST}, per: 1h, key: [] }`
    const routers = await routersOn(redis, `rules: [${rule}]`, 5000)
    const statuses = { admitted: 0, refused: 0 }
    const started = performance.now()
    const asking = routers.flatMap((router) =>
      Array.from({ length: 8 }, async () => {
        while (statuses.refused < 1000) {
          const status = await statusOf(router)
          if (status === 200) statuses.admitted++
          else if (status === 429) statuses.refused++
          else throw new Error(`Answered with ${status}`)
        }
      }),
    )
    await Promise.all(asking)
    const hours = (performance.now() - started) / 3_600_000
    expect(statuses.admitted).toBeGreaterThanOrEqual(BURST)
    expect(statuses.admitted).toBeLessThanOrEqual(BURST + Math.ceil(BURST * hours))
  })

  it.each([
    ['allow', 200],
    ['deny', 503],
    ['memory', 429],
  ] as const)('do as on_failure says while Redis is away: %s', async (setting, expected) => {
    await using redis = await startRedisServer()
    const [router] = await routersOn(
      redis,
      `rules: [{ name: all, limit: 2, per: 1h, key: [] }], on_failure: ${setting}`,
      60_000,
    )
    if (router === undefined) throw new Error('No router was started.')
    expect([await statusOf(router), await statusOf(router), await statusOf(router)]).toEqual([200, 200, 429])
    await redis.stop()
    // Nobody waits for a Redis that is known to be away: for each of them that would be a minute.
    for (let count = 0; count < 20; count++) await statusOf(router)
    expect(await statusOf(router)).toBe(expected)
    expect(router.logs.filter(({ event }) => event === 'rate-limits.away')).toMatchObject([
      { instead: setting },
    ])
  })

  it('count in Redis again as soon as it answers', async () => {
    await using redis = await startRedisServer()
    const [router] = await routersOn(
      redis,
      'rules: [{ name: all, limit: 3, per: 1h, key: [] }], on_failure: allow',
      200,
    )
    if (router === undefined) throw new Error('No router was started.')
    process.kill(redis.pid, 'SIGSTOP')
    await until(async () => {
      await statusOf(router)
      return router.logs.some(({ event }) => event === 'rate-limits.away') ? true : undefined
    }, 'the router to notice that Redis does not answer')
    process.kill(redis.pid, 'SIGCONT')
    await until(async () => ((await statusOf(router)) === 429 ? true : undefined), 'a refusal')
    expect(router.logs.some(({ event }) => event === 'rate-limits.back')).toBe(true)
  })
})
