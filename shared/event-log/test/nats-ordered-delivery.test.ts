/**
 * What a follower does with a stream that has holes. Streams of logs deny deletes, so these are made by hand.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { connectNats, LogLostError } from '../src/index.ts'
import { deliver, EXPECTED_LAST_HEADER } from '../src/nats/ordered-delivery.ts'
import { natsServerAvailable, startNatsServer } from '@switchyard/testkit'

const ONE = 'holes.one'

describe.skipIf(!natsServerAvailable())('following a stream with holes', () => {
  it('stops before a hole in the whole log and names it', async () => {
    await using stream = await streamWithHoles()
    for (let n = 0; n < 5; n += 1) await stream.append(ONE)
    await stream.remove(3)
    const { entries, failure } = await stream.follow(null, 1)
    expect(entries).toEqual([1, 2])
    expect(failure).toBeInstanceOf(LogLostError)
    expect(String(failure)).toContain('records 3 to 3 are missing')
  })

  it('stops at once when the start of the log is gone', async () => {
    await using stream = await streamWithHoles()
    for (let n = 0; n < 5; n += 1) await stream.append(ONE)
    await stream.remove(1)
    await stream.remove(2)
    const { entries, failure } = await stream.follow(null, 1)
    expect(entries).toEqual([])
    expect(String(failure)).toContain('it starts at sequence 3, and the records from 1 on should be there')
  })

  it('looks twice at a hole within one subject and goes on when it is really there', async () => {
    await using stream = await streamWithHoles()
    await stream.append(ONE, 0)
    await stream.append('holes.two', 0)
    for (const last of [1, 3, 4]) await stream.append(ONE, last)
    await stream.remove(3)
    const { entries, failure, consumers } = await stream.follow(ONE, 1, 3)
    expect(entries).toEqual([1, 4, 5])
    expect(failure).toBeNull()
    expect(consumers).toBe(2)
  })
})

async function streamWithHoles() {
  const server = await startNatsServer()
  const link = await connectNats({ url: server.url, name: 'holes' })
  const { connection } = link
  const jsm = await jetstreamManager(connection)
  await jsm.streams.add({ name: 'holes', subjects: ['holes.>'] })
  return {
    async append(subject: string, last?: number): Promise<void> {
      const header = headers()
      if (last !== undefined) header.set(EXPECTED_LAST_HEADER, String(last))
      const { seq } = (await connection.request(subject, '{}', { headers: header, timeout: 5_000 })).json<{
        seq?: number
      }>()
      expect(seq).toBeGreaterThan(last ?? 0)
    },
    remove: (sequence: number) => jsm.streams.deleteMessage('holes', sequence),
    /** Follows until it fails, or until `count` records were delivered. */
    async follow(subject: string | null, from: number, count = Number.POSITIVE_INFINITY) {
      const stop = new AbortController()
      const entries: number[] = []
      const newest = async (): Promise<number> => (await jsm.streams.info('holes')).state.last_seq
      let consumers = 0
      connection.subscribe('$JS.API.CONSUMER.>', {
        callback: (_, { subject: request }) => {
          if (request.includes('.CREATE.holes')) consumers += 1
        },
      })
      const delivery = { link, js: jetstream(connection), jsm, stream: 'holes', subject, from, newest }
      try {
        for await (const { sequence } of deliver({ ...delivery, signal: stop.signal })) {
          entries.push(sequence)
          if (entries.length === count) stop.abort()
        }
        return { entries, failure: null, consumers }
      } catch (failure) {
        return { entries, failure, consumers }
      }
    },
    async [Symbol.asyncDispose]() {
      await link[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
