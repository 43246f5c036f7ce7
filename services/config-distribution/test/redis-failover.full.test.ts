/**
 * What routers read stays the newest, without a restart of anybody, when Redis fails over: by Sentinel, and
 * in a cluster.
 */
import { openRedisConfigStore } from '@switchyard/config-store'
import { openNatsStorage } from '@switchyard/event-log'
import {
  askRedis,
  natsServerAvailable,
  redisServerAvailable,
  startNatsServer,
  startRedisCluster,
  startRedisSentinels,
  waitFor,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { composed, completed, hash } from './records.ts'
import { benchOn, servedManifest } from './setup.ts'

const everything = { owns: ['registry', 'compositions', 'configs'], ownsBlobs: true } as const
const available = natsServerAvailable() && redisServerAvailable()
const MANIFEST_KEY = 'switchyard:{default/shop}:manifest'

describe.skipIf(!available)('config-distribution while Redis fails over', () => {
  it('writes again what the replica did not have that Sentinel promoted', async () => {
    await using set = await startRedisSentinels()
    await using run = await start(set.url)
    await run.publish(1)
    const primary = await set.primary()
    const replica = set.servers.find((server) => server !== primary) ?? primary
    await waitFor('the replica to have it', async () => (await revisionAt(replica)) === '1')
    await cutOff(replica)
    await run.publish(2)
    expect([await revisionAt(primary), await revisionAt(replica)]).toEqual(['2', '1'])

    await primary.kill9()
    expect(await set.primary()).toBe(replica)
    await waitFor('revision 2 in the promoted replica', async () => (await revisionAt(replica)) === '2')
    await waitFor('revision 2 for a reader that was there before', () => run.serves(2))
    await run.publish(3)
    expect(await revisionAt(replica)).toBe('3')
  })

  it('follows when a slot of the cluster moves and when its owner is replaced by a replica', async () => {
    await using cluster = await startRedisCluster({ replicas: 1 })
    await using run = await start(cluster.url)
    await run.publish(1)
    const owner = await cluster.ownerOf(MANIFEST_KEY)
    const next = cluster.nodes.slice(0, 3).find((node) => node !== owner) ?? owner
    await cluster.move(MANIFEST_KEY, next)
    await run.publish(2)
    expect(await revisionAt(next)).toBe('2')

    await next.kill9()
    await waitFor('another owner', async () => (await cluster.ownerOf(MANIFEST_KEY)) !== next)
    await waitFor('revision 2 for a reader that was there before', () => run.serves(2))
    await run.publish(3)
    expect(await revisionAt(await cluster.ownerOf(MANIFEST_KEY))).toBe('3')
  })
})

/** Config-distribution, and a reader with a connection of its own, on that Redis. */
async function start(url: string) {
  await using use = new AsyncDisposableStack()
  const nats = use.use(await startNatsServer())
  const storage = use.use(await openNatsStorage({ url: nats.url, name: 'test', ...everything }))
  const store = use.use(await openRedisConfigStore({ url, name: 'config-distribution' }))
  const reader = use.use(await openRedisConfigStore({ url, name: 'router' }))
  const bench = await benchOn({ ...storage, store })
  use.use(bench.start({ intervals: { repairMs: 200 } }))
  await bench.artifacts('base 1', 'base 2', 'base 3')
  const serves = async (revision: number): Promise<boolean> => {
    const manifest = await servedManifest(reader, bench.signingKey).catch(() => null)
    return manifest?.revision === revision && manifest.base?.artifact === hash(`base ${revision}`)
  }
  const started = use.move()
  return {
    serves,
    async publish(revision: number): Promise<void> {
      await bench.compose(completed(revision, composed(`base ${revision}`)))
      await waitFor(`revision ${revision}`, () => serves(revision))
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function revisionAt(server: { readonly port: number }): Promise<unknown> {
  return askRedis(server, {}, 'HGET', MANIFEST_KEY, 'revision')
}

/** Its link to the primary ends, and it cannot make it anew. */
async function cutOff(replica: { readonly port: number }): Promise<void> {
  await askRedis(replica, {}, 'CONFIG', 'SET', 'masterauth', 'no such password')
  await askRedis(replica, {}, 'CLIENT', 'KILL', 'TYPE', 'master')
  await waitFor('the replica to be cut off', async () =>
    String(await askRedis(replica, {}, 'INFO', 'replication')).includes('master_link_status:down'),
  )
}
