/** The config store is a projection: flushed or gone, it heals from the log, and routers serve throughout. */
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { openRedisConfigStore } from '@switchyard/config-store'
import { describe, expect, it } from 'vitest'
import {
  GRAPH,
  openShop,
  publishShop,
  startShopLoad,
  startOnRealServers,
  waitForReady,
  waitForVariant,
} from '../src/index.ts'

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('the config store is lost', () => {
  it('is written again within 30 s, while routers serve throughout', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    await using store = await openRedisConfigStore({ url: system.redis.url })
    const key = { namespace: 'default', graph: GRAPH }
    expect(await store.getManifest(key)).not.toBeNull()
    const load = startShopLoad(system.routerUrls)
    await flush(system.redis.url)
    expect(await store.getManifest(key)).toBeNull()
    await waitFor('the manifest to be projected again', () => store.getManifest(key))
    for (const url of system.routerUrls) await waitForVariant(system, url, 'next')
    const report = await load.stop()
    expect(report.failures, system.report()).toEqual({})
    expect(report.requests).toBeGreaterThan(0)
  })

  it('lets a router start from its last known good copy while NATS and Redis are gone', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    await system.redis.stop()
    await system.nats.stop()
    const router = system.programs.get('router-0')
    await router?.kill9()
    await router?.start()
    const url = system.routerUrls[0] ?? ''
    await waitForReady(system, url)
    await waitForVariant(system, url, 'next')
  })
})

async function flush(url: string): Promise<void> {
  const { createConnection } = await import('node:net')
  const { hostname, port } = new URL(url)
  await new Promise<void>((resolve, reject) => {
    const socket = createConnection(Number(port), hostname, () => socket.write('FLUSHALL\r\n'))
    socket.once('data', () => {
      socket.end()
      resolve()
    })
    socket.once('error', reject)
  })
}
