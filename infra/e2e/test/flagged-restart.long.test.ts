/**
 * Routers that are restarted one after the other while clients name feature flags, on NATS and Redis. A
 * request whose flag is not compiled fails at once here, so that no wait hides one.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Random } from '@switchyard/samples'
import { FIXED_SEED, natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  openFlaggedShop,
  pairOf,
  publishFlaggedShop,
  query,
  type ShopFlag,
  startOnRealServers,
  waitForReady,
} from '../src/index.ts'

const SETTINGS = `
config: { flag_build_wait: 0ms }
flags: { build_ahead: false }
access_log: { enabled: false }
`
const CLIENTS = 4
const realServers = natsServerAvailable() && redisServerAvailable()

describe.skipIf(!realServers)('a rolling restart under load that names flags', () => {
  it('lets no request wait for its flag', async () => {
    await using shop = await openFlaggedShop(12)
    await using system = await startOnRealServers({ routerSettings: SETTINGS })
    await publishFlaggedShop(system, shop)
    const enabled = shop.flags.filter((_, index) => index % 2 === 0)
    for (const url of system.routerUrls) {
      for (const flag of enabled) await waitFor(`${url} to serve ${flag.name}`, () => serves(url, flag))
    }

    /** Routers that a load balancer would send requests to. */
    const up = new Set(system.routerUrls)
    const random = new Random(Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED))
    const wrong: string[] = []
    let asked = 0
    const over = new AbortController()
    const inProgress = new Map<string, number>()
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!over.signal.aborted) {
        const [url, flag] = [random.pick([...up]), random.pick(enabled)]
        inProgress.set(url, (inProgress.get(url) ?? 0) + 1)
        const answer = await query(url, { 'X-Feature-Flag': flag.name })
        inProgress.set(url, (inProgress.get(url) ?? 0) - 1)
        asked++
        if (pairOf(answer) !== flag.pair) wrong.push(`${flag.name}: ${JSON.stringify(answer)}`)
      }
    })
    for (const round of [1, 2]) {
      for (const [index, url] of system.routerUrls.entries()) {
        const router = system.programs.get(`router-${index}`) ?? expect.fail('there is no such router')
        up.delete(url)
        await waitFor('its requests to be answered', () => inProgress.get(url) === 0)
        await router.stop()
        await router.start()
        await waitForReady(system, url)
        up.add(url)
        const before = asked
        await waitFor(`some requests of round ${round}`, () => asked > before + 100)
      }
    }
    over.abort()
    await Promise.all(clients)
    console.log(`${asked} requests, ${wrong.length} of them not answered by their flags`)
    expect(wrong, system.report()).toEqual([])
  })
})

describe.skipIf(!realServers)('a router that starts without anything of an earlier start', () => {
  it('has the flags compiled that heartbeats of another router name', async () => {
    await using shop = await openFlaggedShop(6)
    await using system = await startOnRealServers({ routerSettings: SETTINGS })
    await publishFlaggedShop(system, shop)
    const enabled = shop.flags.filter((_, index) => index % 2 === 0)
    const used = enabled.slice(0, 2)
    const unused = enabled[2] ?? expect.fail('the shop has too few flags')
    const [asked = '', started = ''] = system.routerUrls
    for (const flag of used) await waitFor(`${asked} to serve ${flag.name}`, () => serves(asked, flag))
    await waitFor('a heartbeat to name both', async () => {
      const { body } = await system.manage('GET', '/v1/routers')
      const routers = body['routers'] as readonly { readonly flagsInUse?: readonly string[] }[]
      return routers.some(({ flagsInUse = [] }) => used.every(({ name }) => flagsInUse.includes(name)))
    })

    const router = system.programs.get('router-1') ?? expect.fail('there is no such router')
    // A router hears others for a little longer than heartbeats are apart, which a busy machine may delay, so
    // one start in which it has heard them is enough. Without hearing them no start would do.
    const startsWithFlags = async (): Promise<boolean> => {
      await router.stop()
      await rm(join(system.folder, 'last-known-good-1'), { recursive: true, force: true })
      await router.start()
      await waitForReady(system, started)
      // Nobody has asked it for a flag yet, and it waits for none.
      const answers = await Promise.all(used.map(({ name }) => query(started, { 'X-Feature-Flag': name })))
      return answers.every((answer, index) => pairOf(answer) === used[index]?.pair)
    }
    await waitFor('a start with the flags in use', startsWithFlags, { withinMs: 240_000, everyMs: 100 })
    // One that nobody uses shows that the others were not compiled for another reason.
    expect((await query(started, { 'X-Feature-Flag': unused.name })).status).toBe(503)
  })
})

async function serves(url: string, flag: ShopFlag): Promise<boolean> {
  const answer = await query(url, { 'X-Feature-Flag': flag.name })
  return pairOf(answer) === flag.pair
}
