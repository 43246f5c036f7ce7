/** A connection that a firewall forgot: it stays open and nobody answers. */
import { natsServerAvailable, startNatsServer, startTcpProxy, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { connectNats, openNatsEventLog } from '../src/index.ts'
import { startFollower } from './collect.ts'

const SHOP = 'registry.events.shop'

describe.skipIf(!natsServerAvailable())('a forgotten connection to NATS', () => {
  it('is noticed without anything to send, sooner than whoever waits for an append gives up asking for it', async () => {
    await using server = await startNatsServer()
    await using proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port })
    await using writer = await openNatsEventLog({
      url: server.url,
      name: 'writer',
      owns: ['registry'],
      reads: [],
    })
    await using link = await connectNats({ url: `nats://127.0.0.1:${proxy.port}`, name: 'reader' })
    await using reader = await openNatsEventLog({ link, owns: [], reads: ['registry'] })
    await using follower = startFollower(reader, { kind: 'subject', subject: SHOP }, 1)
    const first = await writer.append(SHOP, { is: 'first' }, 0)
    await waitFor('the first record', () => follower.entries.length === 1)
    const { session } = link
    proxy.silence()
    proxy.pass()
    await writer.append(SHOP, { is: 'second' }, first)
    // What a registry takes to look for a write whose answer was lost.
    await waitFor('it to be noticed', () => session.aborted)
    await waitFor('the second record', () => follower.entries.length === 2)
    expect(follower.entries.map(({ record }) => record)).toEqual([{ is: 'first' }, { is: 'second' }])
  })
})
