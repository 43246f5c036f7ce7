/** Usage as the management API answers it. */
import { GraphFigures, UnusedCoordinates, UsageReport } from '@switchyard/contracts'
import { FleetKey } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { beat, GRAPH, openStorage, setUpFlag, setUpShop, startClient } from '../harness.ts'
import { sha, subjectOf, told, usage } from './messages.ts'

const KEY = new FleetKey('k'.repeat(32))
const minuteNow = () => Math.floor(Date.now() / 60_000)

describe('usage by the management API', () => {
  it('is believed with a signature, counts each minute once, and stays over a restart', async () => {
    await using storage = await openStorage()
    const minute = minuteNow() - 3
    const message = usage(minute, {
      counted: [
        { operation: 'A', client: 'ios', version: '3.2', flag: 'next', requests: 41, errors: 1 },
        { operation: 'B', requests: 2 },
      ],
      documents: [told('A', ['Query.hello'], sha('next')), told('B', ['Query.hello'])],
    })
    const asked = `/v1/usage/${GRAPH.namespace}/${GRAPH.graph}`
    const report = async (client: { get(path: string): Promise<{ body: unknown }> }, query = '') =>
      UsageReport.parse((await client.get(`${asked}?group=client&group=flag${query}`)).body)
    {
      await using client = await startClient(storage, { fleetKey: KEY })
      await setUpShop(client)
      const sign = KEY.signer()
      storage.announcer.announce(subjectOf(message), { ...message, boot: 'forged' })
      const signed = sign(subjectOf(message), message)
      storage.announcer.announce(subjectOf(message), signed)
      storage.announcer.announce(subjectOf(message), signed)
      await vi.waitFor(async () => expect((await report(client)).totals.requests).toBe(43), PATIENTLY)
      const { body } = await client.get(`/v1/figures/${GRAPH.namespace}/${GRAPH.graph}?minutes=60`)
      const figures = GraphFigures.parse(body)
      expect(figures.minutes).toHaveLength(60)
      const [told] = figures.minutes.filter(({ routers }) => routers > 0)
      expect(told).toMatchObject({
        time: minute * 60_000,
        compositions: [{ flag: 'next', requests: 41 }, {}],
      })
    }
    await using client = await startClient(storage, { fleetKey: KEY })
    const again = await report(client)
    expect(again.groups).toMatchObject([
      {
        client: { name: 'ios', version: '3.2' },
        flag: 'next',
        requests: 41,
        errors: 1,
        lastSeen: minute * 60_000,
      },
      { client: { name: 'web', version: '1' }, flag: null, requests: 2 },
    ])
    expect((await report(client, '&flag=')).totals.requests).toBe(2)
    expect((await report(client, '&coordinate=Query.hello')).totals.requests).toBe(43)
    // What stands for a composer here makes no supergraph.
    const other = await report(client, '&coordinate=Query.other&coordinate=Query.hello')
    expect(other.totals.requests).toBe(43)
    expect(other.unknownCoordinates).toEqual(['Query.other', 'Query.hello'])
    expect((await report(client, '&coordinate=Query.other')).totals.requests).toBe(0)
    const operation = await client.get(`${asked}/operations/${sha('A')}`)
    expect(operation.body).toMatchObject({
      name: 'A',
      coordinates: ['Query.hello'],
      flags: [{ flag: 'next' }],
    })
    expect((await client.get(`${asked}/operations/${sha('none')}`)).status).toBe(404)
    expect((await client.get('/v1/usage/default/shops')).status).toBe(404)
  })

  it('says of a flag who asked for it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpFlag(client)
    const counted = [
      { operation: 'A', flag: 'next', client: 'ios', version: '3.2', requests: 41 },
      { operation: 'A', requests: 7 },
    ]
    const message = usage(minuteNow(), { counted })
    storage.announcer.announce(subjectOf(message), message)
    const clients = [{ name: 'ios', version: '3.2', requests: 41 }]
    const expected = { lastDay: [{ graph: 'shop', requests: 41, clients }] }
    await vi.waitFor(async () => {
      expect((await client.get('/v1/feature-flags/default/next')).body).toMatchObject(expected)
    }, PATIENTLY)
  })

  it('names nothing as unused without evidence', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    beat(storage.announcer)
    const { body } = await client.get('/v1/usage/default/shop/unused')
    const answer = UnusedCoordinates.parse(body)
    expect(answer).toMatchObject({ unused: null, coverage: { isEvidence: false } })
    expect(answer.reason).toMatch(/^[A-Z].+\.$/)
  })

  it('is kept by no registry whose setting says so', async () => {
    await using storage = await openStorage()
    const { values } = storage
    await using client = await startClient(storage, { usage: { values, days: 0 } })
    await setUpShop(client)
    const { status, body } = await client.get('/v1/usage/default/shop')
    expect([status, body]).toMatchObject([404, { detail: expect.stringContaining('SWITCHYARD_USAGE_DAYS') }])
  })
})
