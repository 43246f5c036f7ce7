import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { startDownstream } from './downstream.ts'
import {
  beat,
  openStorage,
  outcome,
  problemOf,
  refusal,
  ROUTING_URL,
  SDL,
  setUpShop,
  startClient,
  startShop,
} from './harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }

describe('a command that is asked for again', () => {
  it('is told as it was answered, by any registry, until its namespace is long gone', async () => {
    await using shop = await startShop()
    const { client, storage } = shop
    const name = { 'idempotency-key': 'a/b?c' }
    const written = outcome(await client.post('/v1/feature-flags/default', FLAG, name))
    expect(written.commandId).toBe('a/b?c')
    await using other = await startClient(storage)
    for (const registry of [client, other]) {
      await vi.waitFor(async () => {
        const reply = await registry.get('/v1/commands/default/a%2Fb%3Fc')
        expect(outcome(reply)).toEqual(written)
      }, PATIENTLY)
    }
    const own = outcome(await client.post('/v1/namespaces', { name: 'team' }))
    await client.delete('/v1/namespaces/team', { 'idempotency-key': 'gone' })
    expect(outcome(await client.get(`/v1/commands/team/${own.commandId}`)).message).toContain('was created')
    expect(outcome(await client.get('/v1/commands/team/gone')).message).toContain('was deleted')
  })

  it('shows how far it got: composition by composition, then router by router', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    beat(storage.announcer, { instance: 'one', state: 'starting' })
    const key = { 'idempotency-key': 'k' }
    const started = outcome(await client.post('/v1/feature-flags/default?wait=0', FLAG, key))
    expect(started).toMatchObject({ pending: true, compositions: [], affectedGraphs: ['shop'] })
    const ask = async (query = '') => outcome(await client.get(`/v1/commands/default/k${query}`))
    expect(await ask()).toEqual(started)
    expect(await ask('?wait=50')).toEqual(started)
    let version = { epoch: 0, revision: 0 }
    await using downstream = startDownstream(storage.log)
    downstream.onConfig = (published) => {
      version = published
    }
    const composed = await ask('?wait=60000')
    expect(composed).toMatchObject({
      pending: false,
      compositions: [{ featureFlag: null }, { featureFlag: 'new', status: 'composed' }],
      routers: { serving: 0, total: 1 },
    })
    await vi.waitFor(() => expect(version.revision).toBeGreaterThan(0), PATIENTLY)
    beat(storage.announcer, { instance: 'one', ...version })
    await vi.waitFor(async () => expect((await ask()).routers).toEqual({ serving: 1, total: 1 }), PATIENTLY)
  })

  it('warns of the same things', async () => {
    await using shop = await startShop()
    const { client } = shop
    const bare = { name: 'bare', routingUrl: ROUTING_URL, subgraph: 'orders' }
    await client.post('/v1/feature-subgraphs/default', bare)
    await client.put('/v1/subgraphs/default/labelled/schema', {
      sdl: SDL,
      routingUrl: ROUTING_URL,
      labels: ['a=b'],
    })
    const writes = [
      client.post('/v1/feature-flags/default', { ...FLAG, featureSubgraphs: ['bare'] }),
      client.post('/v1/graphs/default', { name: 'empty', labelMatchers: ['x=y'] }),
      client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${SDL} # unused` }),
      client.patch('/v1/graphs/default/shop', { labelMatchers: ['x=y'] }),
      client.patch('/v1/feature-flags/default/new', { labels: ['nowhere=1'] }),
    ]
    for (const write of writes) {
      const written = outcome(await write)
      expect(written.warnings).not.toEqual([])
      const again = outcome(await client.get(`/v1/commands/default/${written.commandId}`))
      expect(again.warnings.length).toBeGreaterThan(0)
    }
  })

  it('is not there when it is unknown, of another namespace, or changed nothing', async () => {
    await using shop = await startShop()
    const { client } = shop
    const key = { 'idempotency-key': 'same' }
    await client.put('/v1/subgraphs/default/orders/schema', { sdl: SDL }, key)
    for (const path of ['default/same', 'default/ghost', 'team/ghost']) {
      expect(refusal(await client.get(`/v1/commands/${path}`))).toEqual([404, 'NOT_FOUND'])
    }
    expect(problemOf(await client.get('/v1/commands/default/ghost')).detail).toBe(
      'No command "ghost" changed namespace "default" within the last 24 hours: those that were refused or changed nothing are not kept.',
    )
  })
})
