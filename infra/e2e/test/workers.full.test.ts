/**
 * Routers with several workers on NATS and Redis: to the registry and to clients each of them is one router.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { RouterList } from '@switchyard/contracts'
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  openShop,
  publishShop,
  SHOP_QUERY,
  startOnRealServers,
  startShopLoad,
  variantOf,
} from '../src/index.ts'

const WORKERS = 2
const TOGGLES = 10
const ANSWERS = 3 * WORKERS
const realServers = natsServerAvailable() && redisServerAvailable()
const FLAG = { 'X-Feature-Flag': 'next' }

/** Processes that a router has started. */
function workersOf(system: Constellation, router: string): readonly number[] {
  const parent = String(system.programs.get(router)?.pid ?? -1)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Answers on connections of their own, which come to the workers in turn. */
async function variantsOf(url: string): Promise<readonly string[]> {
  const variants: string[] = []
  for (let asked = 0; asked < ANSWERS; asked++) {
    const headers = { 'content-type': 'application/json', ...FLAG }
    const outgoing = request(`${url}/graphql`, { method: 'POST', agent: false, headers })
    outgoing.end(JSON.stringify({ query: SHOP_QUERY }))
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body: unknown = JSON.parse((await incoming.setEncoding('utf8').toArray()).join(''))
    variants.push(variantOf({ status: incoming.statusCode ?? 0, headers: new Headers(), body }))
  }
  return variants
}

const all = (variant: string): readonly string[] => Array.from({ length: ANSWERS }, () => variant)

describe('routers with several workers', () => {
  it.skipIf(!realServers)(
    'are one router each to the registry, whose word that a flag is served holds for every worker, also while one is killed',
    async () => {
      await using shop = await openShop()
      await using system = await startOnRealServers({ environment: { SWITCHYARD_WORKERS: String(WORKERS) } })
      await publishShop(system, shop)
      const routers = async () => RouterList.parse((await system.manage('GET', '/v1/routers')).body).routers
      await waitFor('both routers to be heard of', async () => (await routers()).length === 2)
      for (const router of ['router-0', 'router-1']) {
        const workers = workersOf(system, router)
        expect(workers).toHaveLength(WORKERS)
        for (const pid of workers) {
          const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
          expect(environment).not.toMatch(/SWITCHYARD_(?:REDIS|NATS|FLEET)_/)
        }
      }

      await using load = startShopLoad(system.routerUrls)
      for (let index = 0; index < TOGGLES; index++) {
        const action = index % 2 === 0 ? 'disable' : 'enable'
        const reply = await system.manage('POST', `/v1/feature-flags/default/next/${action}?wait=20000`, {})
        expect(reply.status, JSON.stringify(reply.body)).toBe(200)
        expect(reply.body['routers'], system.report()).toMatchObject({ serving: 2, total: 2 })
        for (const url of system.routerUrls) {
          const expected = action === 'enable' ? 'next' : 'base'
          expect(await variantsOf(url)).toEqual(all(expected))
        }
      }
      const { requests, failures } = await load.stop()
      expect(failures, system.report()).toEqual({})
      expect(requests).toBeGreaterThan(0)
      const asked = requests + TOGGLES * system.routerUrls.length * ANSWERS
      // Half of them, or so, were answered by each worker of a router, and the registry is told the sums.
      const counted = async () =>
        (await routers()).reduce((sum, router) => sum + (router.load?.requests ?? 0), 0)
      await waitFor('heartbeats to count all requests', async () => (await counted()) >= asked)

      const [victim = 0] = workersOf(system, 'router-0')
      process.kill(victim, 'SIGKILL')
      const reply = await system.manage('POST', '/v1/feature-flags/default/next/disable?wait=20000', {})
      expect(reply.body['routers']).toMatchObject({ serving: 2, total: 2 })
      await waitFor('the worker to be replaced', async () => {
        const now = workersOf(system, 'router-0')
        return now.length === WORKERS && !now.includes(victim)
      })
      expect(await variantsOf(system.routerUrls[0] ?? '')).toEqual(all('base'))
      expect(await routers()).toHaveLength(2)
      // Those of the worker that was killed stay in the sum.
      expect(await counted()).toBeGreaterThanOrEqual(asked)
    },
    300_000,
  )
})
