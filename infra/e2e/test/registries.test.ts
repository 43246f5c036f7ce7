/** Several registries on one log are one registry to their users. */
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OnRealServers, startOnRealServers } from '../src/index.ts'

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('two registries on one log', () => {
  let system: OnRealServers
  beforeAll(async () => {
    system = await startOnRealServers({ registries: 2 })
  })
  afterAll(async () => {
    await system?.[Symbol.asyncDispose]()
  })

  it('let exactly one of two create the same name at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const replies = await Promise.all(
        [0, 1].map((registry) =>
          system.manage(
            'POST',
            '/v1/subgraphs/default',
            { name: `twin-${round}`, routingUrl: `http://localhost:${5000 + registry}/graphql` },
            { registry },
          ),
        ),
      )
      expect(replies.map((reply) => reply.status).toSorted(), JSON.stringify(replies)).toEqual([201, 409])
    }
  })

  it('see each other’s writes at once: a refusal is decided on the newest state', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `fresh-${round}`
      const body = { name, routingUrl: 'http://localhost:5000/graphql' }
      expect((await system.manage('POST', '/v1/subgraphs/default', body, { registry: 0 })).status).toBe(201)
      const feature = { name: `${name}-next`, routingUrl: 'http://localhost:5001/graphql', subgraph: name }
      expect(
        (await system.manage('POST', '/v1/feature-subgraphs/default', feature, { registry: 1 })).status,
      ).toBe(201)
      const list = await system.manage('GET', '/v1/subgraphs/default', undefined, { registry: 0 })
      expect(JSON.stringify(list.body)).toContain(`"${name}-next"`)
    }
  })

  it('give a retried command its first outcome, on either instance', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { name: 'once', routingUrl: 'http://localhost:5000/graphql' }
    const first = await system.manage('POST', '/v1/subgraphs/default', body, { registry: 0, headers })
    const retried = await system.manage('POST', '/v1/subgraphs/default', body, { registry: 0, headers })
    const elsewhere = await system.manage('POST', '/v1/subgraphs/default', body, { registry: 1, headers })
    expect([first.status, retried.status, elsewhere.status]).toEqual([201, 201, 201])
    expect(new Set([first, retried, elsewhere].map((reply) => reply.body['sequence'])).size).toBe(1)
    const other = await system.manage(
      'POST',
      '/v1/subgraphs/default',
      { ...body, name: 'other' },
      { headers },
    )
    expect(other.body['code']).toBe('IDEMPOTENCY_KEY_REUSED')
    const again = await system.manage('POST', '/v1/subgraphs/default', body, { registry: 1 })
    expect(again.status).toBe(409)
  })

  it('both forget a router that stops, at once, and know nothing of one that only got SIGHUP', async () => {
    const routersOf = async (registry: number) => {
      const { body } = await system.manage('GET', '/v1/routers', undefined, { registry })
      return (body['routers'] as { instance: string; state: string }[]).map(({ instance }) => instance)
    }
    const counts = async () => [(await routersOf(0)).length, (await routersOf(1)).length]
    await waitFor('both registries to know both routers', async () => String(await counts()) === '2,2')
    for (const program of system.programs.values()) process.kill(program.pid, 'SIGHUP')
    for (const program of system.programs.values())
      await waitFor(`${program.name} to notice the signal`, () =>
        program.events.some(({ event }) => event === 'process.reloading'),
      )
    expect([...system.programs.values()].filter(({ running }) => !running)).toEqual([])
    expect(await counts()).toEqual([2, 2])
    await system.programs.get('router-1')?.stop()
    // Much sooner than a silent one is missed, which takes a minute.
    await waitFor('both to have forgotten it', async () => String(await counts()) === '1,1')
  })
})
