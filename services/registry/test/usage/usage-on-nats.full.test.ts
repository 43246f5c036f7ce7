/** Two registries on one NATS: each minute of a router counts once, also while one or both are away. */
import { GraphFigures, UsageReport } from '@switchyard/contracts'
import { connectNats, createNatsAnnouncer, openNatsStorage } from '@switchyard/event-log'
import { natsServerAvailable, PATIENTLY, startNatsServer } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { type Client, setUpShop, startClient } from '../harness.ts'
import { subjectOf, usage } from './messages.ts'

async function openRegistry(url: string): Promise<Client> {
  const logs = ['compositions', 'configs'] as const
  const storage = await openNatsStorage({
    url,
    name: 'registry',
    owns: ['registry', ...logs],
    ownsBlobs: true,
    ownsPieces: true,
  })
  const { values, usage: told } = storage
  const client = await startClient(
    { ...storage, values },
    {
      usage: {
        values,
        days: 30,
        subscribe: (handler, beginning) => told.subscribe(handler, beginning),
        isListening: () => told.isListening,
      },
    },
  )
  await vi.waitFor(() => expect(told.isListening).toBe(true), PATIENTLY)
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

async function requests(client: Client): Promise<number> {
  return UsageReport.parse((await client.get('/v1/usage/default/shop')).body).totals.requests
}

describe.skipIf(!natsServerAvailable())('usage on NATS', () => {
  it('is counted once by several registries, and not missed while none runs', async () => {
    await using server = await startNatsServer()
    await using link = await connectNats({ url: server.url, name: 'router' })
    await using router = createNatsAnnouncer({ link })
    const now = Math.floor(Date.now() / 60_000)
    const tell = (minute: number) => {
      const message = usage(minute, { counted: [{ operation: 'A', requests: 10 }] })
      router.announce(subjectOf(message), message)
    }
    {
      await using first = await openRegistry(server.url)
      await using second = await openRegistry(server.url)
      await setUpShop(first)
      for (const minute of [now - 9, now - 8, now - 8]) tell(minute)
      await vi.waitFor(async () => expect(await requests(first)).toBe(20), PATIENTLY)
      await vi.waitFor(async () => expect(await requests(second)).toBe(20), PATIENTLY)
    }
    tell(now - 7)
    await link.connection.flush()
    await using again = await openRegistry(server.url)
    await vi.waitFor(async () => expect(await requests(again)).toBe(30), PATIENTLY)
    const { minutes } = GraphFigures.parse((await again.get('/v1/figures/default/shop')).body)
    expect(minutes.filter(({ routers }) => routers === 1)).toHaveLength(3)
  })
})
