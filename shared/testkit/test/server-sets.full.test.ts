/** That sets of servers form, lose one of theirs, and have it back, as tests of services need it. */
import { describe, expect, it } from 'vitest'
import {
  askRedis,
  natsClusterAvailable,
  redisServerAvailable,
  startNatsCluster,
  startRedisCluster,
  startRedisSentinels,
  waitFor,
} from '../src/index.ts'

describe.skipIf(!natsClusterAvailable())('three NATS servers', () => {
  it('are one cluster, and are again after one was killed and came back', async () => {
    await using cluster = await startNatsCluster()
    expect(cluster.nodes).toHaveLength(3)
    expect(cluster.url.split(',')).toHaveLength(3)
    expect(await routesOf(cluster.nodes[0]?.monitoringUrl)).toEqual(new Set(['node-2', 'node-3']))
    await cluster.nodes[2]?.kill9()
    await waitFor('the loss to be seen', async () => {
      const names = await routesOf(cluster.nodes[0]?.monitoringUrl)
      return names.size === 1
    })
    await cluster.nodes[2]?.restart()
    await cluster.whenHealthy()
    expect(await routesOf(cluster.nodes[2]?.monitoringUrl)).toEqual(new Set(['node-1', 'node-2']))
  })
})

describe.skipIf(!redisServerAvailable())('Redis servers', () => {
  it('behind Sentinel have another primary when theirs is killed, and take it back as a replica', async () => {
    await using set = await startRedisSentinels()
    const [first] = set.servers
    expect(await set.primary()).toBe(first)
    await askRedis(await set.primary(), {}, 'SET', 'key', 'value')
    await first?.kill9()
    const next = await set.primary()
    expect(next).toBe(set.servers[1])
    expect(await askRedis(next, {}, 'GET', 'key')).toBe('value')
    await first?.restart()
    await set.whenComplete()
    expect(String(await askRedis(first ?? next, {}, 'INFO', 'replication'))).toContain('role:slave')
  })

  it('in a cluster hand over a slot with what is in it', async () => {
    await using cluster = await startRedisCluster()
    const from = await cluster.ownerOf('{tag}:key')
    await askRedis(from, {}, 'SET', '{tag}:key', 'value')
    const to = cluster.nodes.find((node) => node !== from) ?? from
    await cluster.move('{tag}:key', to)
    expect(await cluster.ownerOf('{tag}:key')).toBe(to)
    expect(await askRedis(to, {}, 'GET', '{tag}:key')).toBe('value')
    await expect(askRedis(from, {}, 'GET', '{tag}:key')).rejects.toThrow('MOVED')
  })

  it('in a cluster have a replica of an owner in its place when that one is killed', async () => {
    await using cluster = await startRedisCluster({ replicas: 1 })
    const from = await cluster.ownerOf('{tag}:key')
    await askRedis(from, {}, 'SET', '{tag}:key', 'value')
    await askRedis(from, {}, 'WAIT', '1', '5000')
    await from.kill9()
    await waitFor('a replica to be promoted', async () => (await cluster.ownerOf('{tag}:key')) !== from)
    expect(await askRedis(await cluster.ownerOf('{tag}:key'), {}, 'GET', '{tag}:key')).toBe('value')
  })
})

async function routesOf(monitoringUrl = ''): Promise<Set<string>> {
  const { routes } = (await (await fetch(`${monitoringUrl}/routez`)).json()) as {
    readonly routes: readonly { readonly remote_name: string }[]
  }
  return new Set(routes.map(({ remote_name: name }) => name))
}
