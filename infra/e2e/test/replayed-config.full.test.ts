/** Somebody can write Redis, and puts back what was there before a trace key was retired. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedisConfigStore } from '@switchyard/config-store'
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  GRAPH,
  type OnRealServers,
  openShop,
  publishShop,
  query,
  startOnRealServers,
  waitForReady,
} from '../src/index.ts'

const KEY = { namespace: 'default', graph: GRAPH }

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('a replayed configuration', () => {
  it('is not served by a router that starts without a copy, so that its retired trace key stays retired', async () => {
    await using shop = await openShop()
    await using folder = new AsyncDisposableStack()
    const keyFile = join(tmpdir(), `switchyard-trace-keys-${process.pid}.json`)
    folder.defer(() => rm(keyFile, { force: true }))
    await using system = await startOnRealServers({ environment: { SWITCHYARD_TRACE_KEY_FILE: keyFile } })
    await publishShop(system, shop)
    await using store = await openRedisConfigStore({ url: system.redis.url })
    const url = system.routerUrls[0] ?? ''

    const { kid } = await must<{ kid: string }>(system, 'POST', '/v1/trace-keys', {})
    const { token } = await must<{ token: string }>(
      system,
      'POST',
      `/v1/graphs/default/${GRAPH}/trace-tokens`,
      {},
    )
    await waitFor('a trace to be given', async () => (await traced(url, token)).hasTrace)
    const old = await store.getManifest(KEY)
    if (old === null) throw new Error('there is no manifest')
    await must(system, 'DELETE', `/v1/trace-keys/${kid}`, {})
    await waitFor('the token to be refused', async () => (await traced(url, token)).status === 401)

    await system.programs.get('config-distribution')?.kill9()
    await store.replaceManifest(KEY, old)
    await startFresh(system)
    expect(await unreadiness(url, 'MANIFEST_OLDER')).toContain('MANIFEST_OLDER')
    expect(await traced(url, token)).toEqual({ status: 503, hasTrace: false })

    // Nor without the word about what is the newest.
    await store.putHead(KEY, '')
    await unreadiness(url, 'not known to be the newest')
    expect(await traced(url, token)).toEqual({ status: 503, hasTrace: false })

    await system.programs.get('config-distribution')?.start()
    await waitForReady(system, url)
    expect(await traced(url, token)).toEqual({ status: 401, hasTrace: false })
  })
})

async function startFresh(system: OnRealServers): Promise<void> {
  const router = system.programs.get('router-0')
  await router?.kill9()
  await rm(join(system.folder, 'last-known-good-0'), { recursive: true })
  await router?.start()
}

async function unreadiness(url: string, text: string): Promise<string> {
  return waitFor(`the router to wait because of ${text}`, async () => {
    const response = await fetch(`${url}/health/ready`)
    const body = await response.text()
    if (response.status !== 503 || !body.includes(text)) throw new Error(body)
    return body
  })
}

async function traced(url: string, token: string): Promise<{ status: number; hasTrace: boolean }> {
  const headers = { 'X-VENDOR-Trace': 'true', 'X-VENDOR-Token': token }
  const { status, body } = await query(url, headers, '{ __typename }')
  return { status, hasTrace: JSON.stringify(body).includes('"trace"') }
}

async function must<Body>(
  system: OnRealServers,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const reply = await system.manage(method, path, body)
  if (reply.status >= 300)
    throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}\n${system.report()}`)
  return reply.body as Body
}
