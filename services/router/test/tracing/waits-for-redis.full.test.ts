/** What a trace says of a request that waited for a Redis which several routers share. */
import { redisServerAvailable, startRedisServer } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { sha256 } from '../support/manifests.ts'
import { post, routerOn, until } from '../support/router.ts'
import { startShop } from '../support/shop.ts'
import { waitsOf } from './waits-of.ts'

const TRACED = 'engine: { force_unauthenticated_request_tracing: true }'
const QUERY = '{ version }'
const EXTENSIONS = { persistedQuery: { version: 1, sha256Hash: sha256(QUERY) } }

describe.skipIf(!redisServerAvailable())('a trace of a request that waited for Redis', () => {
  it.each([
    [
      'rate-limits',
      (url: string) => `rate_limits: { redis: { url: "${url}" },
        rules: [{ name: all, limit: 100, per: 1h, key: [] }] }`,
      { query: QUERY },
    ],
    [
      'document',
      (url: string) => `documents: { apq: { enabled: true,
        redis: { url: "${url}", prefix: test } } }`,
      { extensions: EXTENSIONS },
    ],
  ])('names the wait for %s', async (name, settingsOn, body) => {
    await using redis = await startRedisServer()
    await using shop = await startShop()
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    const settings = `${TRACED}\n${settingsOn(redis.url)}`
    const overrides = { redisTimeout: 60_000 }
    await using writer = await routerOn(world, { settings, overrides, instance: 'writer' })
    await using router = await routerOn(world, { settings, overrides, instance: 'reader' })
    await Promise.all([writer.ready, router.ready])
    // The other router has added the document when it is known here.
    await post(writer, { query: QUERY, extensions: EXTENSIONS })
    await until(async () => (await post(writer, body)).status === 200, 'the document is shared')
    process.kill(redis.pid, 'SIGSTOP')
    const answering = post(router, body, { 'x-vendor-trace': 'true' })
    try {
      await until(() => router.activeRequests() === 1, 'the request has begun')
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
    const { status, text } = await answering
    expect(status).toBe(200)
    expect(waitsOf(text)).toContain(name)
  })
})
