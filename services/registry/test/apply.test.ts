/** `POST /v1/namespaces/{ns}/apply`: the desired state as one command. */
import { RegistryRecord, registrySubject } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { describe, expect, it } from 'vitest'
import {
  openStorage,
  outcome,
  problemOf,
  refusal,
  ROUTING_URL,
  SDL,
  setUpShop,
  startClient,
} from './harness.ts'

const PATH = '/v1/namespaces/default/apply'
const WHOLE = {
  graphs: [{ name: 'shop' }],
  subgraphs: [
    { name: 'orders', routingUrl: ROUTING_URL, sdl: SDL },
    { name: 'users', routingUrl: ROUTING_URL, sdl: `${SDL} # users` },
  ],
  featureSubgraphs: [
    { name: 'orders-next', subgraph: 'orders', routingUrl: ROUTING_URL, sdl: `${SDL} # next` },
  ],
  featureFlags: [{ name: 'new', featureSubgraphs: ['orders-next'] }],
}

async function records(log: EventLog): Promise<RegistryRecord[]> {
  const list: RegistryRecord[] = []
  for await (const entry of log.read({ kind: 'subject', subject: registrySubject('default') }, 1)) {
    list.push(RegistryRecord.parse(entry.record))
  }
  return list
}

describe('a desired state', () => {
  it('is one record, and applied again none', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const first = await client.post(`${PATH}?wait=0`, WHOLE, { 'idempotency-key': 'one' })
    expect(first.status).toBe(201)
    expect(outcome(first)).toMatchObject({ changed: true, affectedGraphs: ['shop'], warnings: [] })
    expect((await records(storage.log)).map(({ events }) => events.length)).toEqual([8])

    const repeated = outcome(await client.post(`${PATH}?wait=0`, WHOLE, { 'idempotency-key': 'one' }))
    expect(repeated).toMatchObject({ changed: true, sequence: outcome(first).sequence })
    const again = await client.post(PATH, WHOLE)
    expect(again.status).toBe(200)
    expect(outcome(again)).toMatchObject({ changed: false, compositions: [], affectedGraphs: [] })
    expect(await records(storage.log)).toHaveLength(1)
    expect((await client.get('/v1/feature-flags/default')).body).toMatchObject({
      featureFlags: [{ name: 'new', enabled: true }],
    })
  })

  it('is refused as a whole, with all that is wrong', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const refused = problemOf(
      await client.post(PATH, { ...WHOLE, subgraphs: [{ name: 'a' }, { name: 'b', sdl: SDL }] }),
    )
    expect(refused).toMatchObject({ status: 422, code: 'DESIRED_STATE_INVALID' })
    expect(refused.problems).toHaveLength(3)
    const badSdl = { ...WHOLE, subgraphs: [{ name: 'a', routingUrl: ROUTING_URL, sdl: 'type {' }] }
    expect(problemOf(await client.post(PATH, badSdl))).toMatchObject({ code: 'SCHEMA_INVALID' })
    const many = Array.from({ length: 501 }, (_, index) => ({ name: `s${index}`, routingUrl: ROUTING_URL }))
    expect(refusal(await client.post(PATH, { subgraphs: many }))).toEqual([400, 'INVALID_REQUEST'])
    expect(refusal(await client.post(PATH, { subgraph: [] }))).toEqual([400, 'INVALID_REQUEST'])
    expect(await records(storage.log)).toEqual([])
  })

  it('needs no more than the scope to publish where it changes schemas only', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const created = await client.post('/v1/api-keys', { name: 'ci', scopes: ['publish:default'] })
    const { key } = created.body as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const schemas = {
      subgraphs: [{ name: 'orders', sdl: `${SDL} # 2` }],
      featureSubgraphs: [{ name: 'orders-next', sdl: `${SDL} # 3` }],
    }
    expect(outcome(await client.post(`${PATH}?wait=0`, schemas, headers)).changed).toBe(true)
    expect((await records(storage.log)).at(-1)?.events).toHaveLength(2)
    for (const more of [
      { subgraphs: [{ name: 'orders', labels: ['a=1'] }] },
      { featureFlags: WHOLE.featureFlags },
      { ...schemas, prune: true },
    ]) {
      expect(refusal(await client.post(PATH, more, headers))).toEqual([403, 'FORBIDDEN'])
    }
  })
})
