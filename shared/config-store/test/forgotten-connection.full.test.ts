/** A connection that a firewall forgot: it stays open and nobody answers. */
import { redisServerAvailable, startRedisServer, startTcpProxy, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { openRedisConfigStore } from '../src/index.ts'
import { manifestOf, SHOP } from './samples.ts'

describe.skipIf(!redisServerAvailable())('a forgotten connection to Redis', () => {
  it('is given up for a new one after the first command that nobody answers', async () => {
    await using server = await startRedisServer()
    await using proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port })
    await using store = await openRedisConfigStore({ url: `redis://127.0.0.1:${proxy.port}` })
    const manifest = manifestOf(1, 1)
    expect(await store.putManifest(SHOP, manifest)).toBe('written')
    proxy.silence()
    proxy.pass()
    await expect(store.getManifest(SHOP)).rejects.toThrow()
    const found = await waitFor('a new connection', () => store.getManifest(SHOP))
    expect(found.version).toEqual(manifest.version)
  })
})
