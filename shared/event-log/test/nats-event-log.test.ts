import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  connectNats,
  createNatsAnnouncer,
  type EventLog,
  EventLogUnavailableError,
  LOG_NAMES,
  openNatsEventLog,
  openNatsStorage,
  ReplicasUnsupportedError,
  LogLostError,
  type StorageError,
  StreamMismatchError,
} from '../src/index.ts'
import { isOlder } from '../src/nats/versions.ts'
import { collect, startFollower } from './collect.ts'
import { natsServerAvailable, type SpawnedServer, startNatsServer, waitFor } from '@switchyard/testkit'

const SHOP = 'registry.events.shop'
const shop = { kind: 'subject', subject: SHOP } as const
const registry = { kind: 'log', log: 'registry' } as const

describe.skipIf(!natsServerAvailable())('event log on NATS', () => {
  it('is followed without gap or duplicate while the server is killed and started again', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    await using one = startFollower(log, shop, 1)
    await using all = startFollower(log, registry, 1)
    const stop = new AbortController()
    const writing = writeUntil(stop.signal, log)
    for (let kill = 0; kill < 3; kill += 1) {
      const before = one.entries.length
      await waitFor('some more records', () => one.entries.length > before + 50)
      await server.kill9()
      await server.restart()
    }
    const before = all.entries.length
    await waitFor('records after the last start', () => all.entries.length > before + 50)
    stop.abort()
    const acknowledged = await writing
    const stored = await collect(log.read(shop, 1))
    await waitFor('the followers to catch up', () =>
      [one, all].every((follower) => follower.entries.length >= stored.length),
    )
    expect(one.entries).toEqual(stored)
    expect(all.entries).toEqual(stored)
    const present = new Set(stored.map(({ sequence }) => sequence))
    expect(acknowledged.filter((sequence) => !present.has(sequence))).toEqual([])
    expect(new Set(stored.map(({ record }) => JSON.stringify(record))).size).toBe(stored.length)
  })

  it('goes on following when the server forgets the consumer', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    await using follower = startFollower(log, shop, 1)
    const first = await log.append(SHOP, {}, 0)
    await waitFor('the first record', () => follower.entries.length === 1)
    await withManager(server, async (jsm) => {
      for await (const { name } of jsm.consumers.list('registry'))
        await jsm.consumers.delete('registry', name)
    })
    const second = await log.append(SHOP, {}, first)
    await waitFor('the second record', () => follower.entries.length === 2)
    expect(follower.entries.map(({ sequence }) => sequence)).toEqual([first, second])
  })

  it('stops a follower whose stream was thrown away and made anew', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    await using follower = startFollower(log, shop, 1)
    const first = await log.append(SHOP, {}, 0)
    await log.append(SHOP, {}, first)
    await waitFor('both records', () => follower.entries.length === 2)
    await withManager(server, (jsm) => jsm.streams.delete('registry'))
    await using again = await openAll(server)
    await again.append(SHOP, {}, 0)
    const { code } = (await follower.ended) as StorageError
    expect(['STREAM_MISSING', 'LOG_LOST']).toContain(code)
    expect(follower.entries).toHaveLength(2)
    // Whoever goes on behind what was read is told as well.
    await using later = startFollower(again, shop, 3)
    expect(await later.ended).toBeInstanceOf(LogLostError)
  })

  it('says that the outcome is unknown when a stalled server does not answer', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    process.kill(server.pid, 'SIGSTOP')
    // The signal takes effect some time after the call, so some appends may still be answered.
    let last = 0
    let tried = 0
    const appendOn = async (): Promise<never> => {
      for (;;) last = await log.append(SHOP, { try: (tried += 1) }, last)
    }
    const failure = await appendOn().catch((error: unknown) => error)
    process.kill(server.pid, 'SIGCONT')
    expect(failure).toBeInstanceOf(AppendOutcomeUnknownError)
    const found = await waitFor('the record to turn up', async () => {
      const newest = await log.last(shop)
      return newest !== null && newest.sequence > last ? newest : null
    })
    expect(found.record).toEqual({ try: tried })
    await expect(log.append(SHOP, { try: tried }, last)).rejects.toThrow(AppendConflictError)
  })

  it('refuses at once, certainly without a write, while there is no connection', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    await log.append(SHOP, { n: 1 }, 0)
    await server.kill9()
    await waitFor('the loss to be noticed', async () => {
      const error: unknown = await log.append(SHOP, { n: 2 }, 1).catch((reason: unknown) => reason)
      return error instanceof EventLogUnavailableError
    })
    await expect(log.last(shop)).rejects.toThrow(EventLogUnavailableError)
    await expect(collect(log.read(shop, 1))).rejects.toThrow(EventLogUnavailableError)
    await server.restart()
    const last = await waitFor('the connection to come back', () => log.last(shop))
    expect(last).toEqual({ subject: SHOP, sequence: 1, record: { n: 1 } })
  })

  it('fails a read whose server goes away, instead of ending it early', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    let last = 0
    while (last < 400) last = await log.append(SHOP, { padding: 'x'.repeat(1_000) }, last)
    const seen: number[] = []
    const readAll = async (): Promise<void> => {
      for await (const { sequence } of log.read(shop, 1)) {
        seen.push(sequence)
        if (seen.length === 1) await server.kill9()
      }
    }
    await expect(readAll()).rejects.toThrow(EventLogUnavailableError)
    expect(seen.length).toBeLessThan(400)
  })

  it('shows an append of one connection to last on another one', async () => {
    await using server = await startNatsServer()
    await using writer = await openAll(server)
    await using reader = await openNatsEventLog({ url: server.url, name: 'reader', owns: [] })
    let last = 0
    for (let n = 0; n < 50; n += 1) {
      last = await writer.append(SHOP, { n }, last)
      expect((await reader.last(shop))?.sequence).toBe(last)
      expect((await reader.last(registry))?.sequence).toBe(last)
    }
  })

  it('makes its streams so that nothing can be removed from them', async () => {
    await using server = await startNatsServer()
    await using log = await openAll(server)
    const sequence = await log.append(SHOP, {}, 0)
    await withManager(server, async (jsm) => {
      await expect(jsm.streams.deleteMessage('registry', sequence)).rejects.toThrow(/delete/)
      await expect(jsm.streams.purge('registry')).rejects.toThrow(/purge/)
      const { config } = await jsm.streams.info('registry')
      expect(config).toMatchObject({ storage: 'file', retention: 'limits', discard: 'new', max_age: 0 })
      expect(config.allow_direct ?? false).toBe(false)
    })
    expect(await log.last(shop)).not.toBeNull()
  })

  it('waits for the owner of a stream, as long as its signal allows', async () => {
    await using server = await startNatsServer()
    const stop = new AbortController()
    const abandoned = openNatsEventLog({ url: server.url, name: 'early', owns: [], signal: stop.signal })
    const reasons: string[] = []
    const early = openNatsEventLog({
      url: server.url,
      name: 'early',
      owns: ['configs'],
      reads: ['registry'],
      onProblem: (problem) => reasons.push(problem?.message ?? 'over'),
    })
    await waitFor('the reason for waiting', () => reasons.some((reason) => reason !== 'over'))
    expect(reasons.filter((reason) => reason !== 'over')[0]).toContain(
      'the stream of "registry" does not exist',
    )
    stop.abort()
    await expect(abandoned).rejects.toThrow(/abort/i)
    await using owner = await openNatsEventLog({
      url: server.url,
      name: 'owner',
      owns: ['registry'],
      reads: [],
    })
    await using log = await early
    const sequence = await owner.append(SHOP, {}, 0)
    expect((await log.last(shop))?.sequence).toBe(sequence)
    await expect(log.last({ kind: 'log', log: 'compositions' })).rejects.toThrow(EventLogUnavailableError)
  })

  it('lets several instances of an owner start at once', async () => {
    await using server = await startNatsServer()
    const logs = await Promise.all(Array.from({ length: 4 }, () => openAll(server)))
    await logs[0]?.append(SHOP, {}, 0)
    expect((await logs[3]?.last(shop))?.sequence).toBe(1)
    for (const log of logs) await log[Symbol.asyncDispose]()
  })

  it('refuses a stream that could lose records and names the settings, to its owner and to readers', async () => {
    await using server = await startNatsServer()
    await withManager(server, (jsm) =>
      jsm.streams.add({
        name: 'registry',
        subjects: ['registry.events.>'],
        max_age: 60_000_000_000,
        deny_delete: true,
      }),
    )
    for (const owns of [['registry'], []] as const) {
      const refusal = await openNatsEventLog({ url: server.url, name: 'x', owns, reads: ['registry'] }).catch(
        (error: unknown) => error,
      )
      expect(refusal).toBeInstanceOf(StreamMismatchError)
      expect(String(refusal)).toContain('max_age is 60000000000, expected 0')
      expect(String(refusal)).toContain('deny_purge is false, expected true')
    }
  })

  it('refuses replicas on a server that cannot keep writers apart with them', async () => {
    await using server = await startNatsServer()
    const version = await serverVersion(server)
    const opening = openNatsEventLog({
      url: server.url,
      name: 'x',
      owns: ['registry'],
      reads: [],
      replicas: 3,
    })
    if (isOlder(version, '2.10.20')) await expect(opening).rejects.toThrow(ReplicasUnsupportedError)
    else await expect(opening).rejects.toThrow(/replicas/)
  })

  it('compares server versions by number', () => {
    expect(isOlder('2.9.10', '2.10.20')).toBe(true)
    expect(isOlder('2.10.19', '2.10.20')).toBe(true)
    expect(isOlder('2.10.20', '2.10.20')).toBe(false)
    expect(isOlder('2.11.0-beta.1', '2.10.20')).toBe(false)
    expect(isOlder('3.0.0', '2.10.20')).toBe(false)
  })

  it('gives logs, blobs and notices over one connection', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({
      url: server.url,
      name: 'all',
      owns: LOG_NAMES,
      ownsBlobs: true,
    })
    const blob = await storage.blobs.put(Buffer.from('content'))
    await storage.log.append(SHOP, { blob }, 0)
    const heard: unknown[] = []
    storage.announcer.subscribe('config.shop.web', (message) => heard.push(message))
    storage.announcer.announce('config.shop.web', { revision: 1 })
    await waitFor('the notice', () => heard.length === 1)
  })

  it('tells of its end when the connection is closed', async () => {
    await using server = await startNatsServer()
    const link = await connectNats({ url: server.url, name: 'x' })
    expect(link.connected).toBe(true)
    const session = link.session
    await server.kill9()
    await waitFor('the loss to be noticed', () => session.aborted && !link.connected)
    await server.restart()
    await link.whenConnected()
    expect(link.session.aborted).toBe(false)
    await link[Symbol.asyncDispose]()
    expect(await link.closed).toBeNull()
    expect(link.session.aborted).toBe(true)
  })
})

describe.skipIf(!natsServerAvailable())('announcer over NATS', () => {
  it('starts without a server and goes on after it was killed', async () => {
    await using server = await startNatsServer()
    await server.stop()
    await using near = createNatsAnnouncer({ url: server.url, name: 'near' })
    await using far = createNatsAnnouncer({ url: server.url, name: 'far' })
    const heard: unknown[] = []
    far.subscribe('config.>', (message) => heard.push(message))
    near.announce('config.shop.web', 'lost')
    for (const round of ['first start', 'start after a crash']) {
      await server.restart()
      await waitFor(`a notice after the ${round}`, () => {
        near.announce('config.shop.web', round)
        return heard.includes(round)
      })
      await server.kill9()
    }
    expect(heard).not.toContain('lost')
  })
})

function openAll(server: SpawnedServer): Promise<EventLog> {
  return openNatsEventLog({ url: server.url, name: 'test', owns: LOG_NAMES })
}

/**
 * A writer as services have them: after a failure it looks where the log ends. Returns the acknowledged
 * sequences.
 */
async function writeUntil(signal: AbortSignal, log: EventLog): Promise<readonly number[]> {
  const acknowledged: number[] = []
  let last = 0
  for (let n = 0; !signal.aborted; n += 1) {
    try {
      last = await log.append(SHOP, { n }, last)
      acknowledged.push(last)
    } catch (error) {
      if (error instanceof AppendConflictError) throw error
      last = await waitFor('the log to answer again', async () => (await log.last(shop))?.sequence ?? 0)
    }
  }
  return acknowledged
}

async function withManager<Value>(
  server: SpawnedServer,
  action: (jsm: JetStreamManager) => Promise<Value>,
): Promise<void> {
  const connection = await connect({ servers: server.url })
  await action(await jetstreamManager(connection))
  await connection.close()
}

async function serverVersion(server: SpawnedServer): Promise<string> {
  await using link = await connectNats({ url: server.url, name: 'version' })
  return link.connection.info?.version ?? ''
}
