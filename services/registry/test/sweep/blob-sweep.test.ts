/**
 * Blobs that no record names, on a real SQLite store. Their age comes from the database, the time from the
 * test.
 */
import { configSubject } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { startRegistry } from '../../src/registry.ts'
import { outcome, ROUTING_URL, startClient } from '../harness.ts'
import { hash } from '../pieces.ts'
import { gone, HOUR_MS, loggerTo, nameInRecords, OFTEN, openAged, parts, swept, watch } from './support.ts'

const SDL = ['type Query { first: Int }', 'type Query { second: Int }'] as const
const [ARTIFACT, ERRORS, SERVED, ORPHAN] = ['an artifact', 'many errors', 'a served artifact', 'an orphan']
const NAMED = {
  composed: { artifact: hash(ARTIFACT) },
  errors: hash(ERRORS),
  served: { artifact: hash(SERVED) },
}

describe('blobs that no record names', () => {
  it('are removed when they are older than a day, and nothing else is', async () => {
    await using storage = await openAged({ blobs: [ARTIFACT, ERRORS, SERVED, ORPHAN], hours: 25 })
    const lines: unknown[] = []
    await nameInRecords(storage.log, NAMED)
    await using client = await startClient(storage, { ...OFTEN, logger: loggerTo(lines) })
    await gone(storage.blobs, ORPHAN)
    for (const named of [ARTIFACT, ERRORS, SERVED]) expect(await storage.blobs.has(hash(named))).toBe(true)
    expect(client.registry.ready()).toEqual({ ok: true })
    expect(swept(lines)).toMatchObject([{ sha256: hash(ORPHAN), bytes: ORPHAN.length }])
  })

  it('stay while they are younger than a day', async () => {
    await using storage = await openAged({ blobs: [ORPHAN], hours: 23 })
    await nameInRecords(storage.log, NAMED)
    const watched = watch(storage.blobs)
    let ahead = 0
    const now = () => Date.now() + ahead
    await using client = await startClient({ ...storage, blobs: watched.store }, { ...OFTEN, now })
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
    ahead = 2 * HOUR_MS
    await gone(storage.blobs, ORPHAN)
    expect(client.registry.ready()).toEqual({ ok: true })
  })

  it('stay, whatever clocks say, while this registry has not seen them without a name for two hours', async () => {
    await using storage = await openAged({ blobs: [ORPHAN], hours: 0 })
    await nameInRecords(storage.log, NAMED)
    const watched = watch(storage.blobs)
    let monotonic = 0
    const wrong = { now: () => Date.now() + 30 * 24 * HOUR_MS, monotonicNow: () => monotonic }
    await using _client = await startClient({ ...storage, blobs: watched.store }, { ...OFTEN, ...wrong })
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    monotonic = 2 * HOUR_MS - 1
    const before = watched.listed()
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(before + 2), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
    monotonic = 2 * HOUR_MS
    await gone(storage.blobs, ORPHAN)
  })

  it('do not include schemas that were replaced by newer ones', async () => {
    await using storage = await openAged({ blobs: [...SDL, ORPHAN], hours: 0 })
    {
      await using client = await startClient(storage)
      for (const sdl of SDL) {
        outcome(await client.put('/v1/subgraphs/default/a/schema?wait=0', { sdl, routingUrl: ROUTING_URL }))
      }
    }
    await using client = await startClient(storage, { ...OFTEN, now: () => Date.now() + 30 * 24 * HOUR_MS })
    await gone(storage.blobs, ORPHAN)
    for (const sdl of SDL) expect(await storage.blobs.has(hash(sdl))).toBe(true)
    expect(client.registry.ready()).toEqual({ ok: true })
  })

  it('stay while a log was not read to its end', async () => {
    await using storage = await openAged({ blobs: [ARTIFACT, ERRORS, SERVED, ORPHAN], hours: 25 })
    await nameInRecords(storage.log, NAMED)
    const gate = Promise.withResolvers<void>()
    const log = withholdConfigs(storage.log, gate.promise)
    const lines: unknown[] = []
    await using _registry = await startRegistry({
      ...parts(storage),
      ...OFTEN,
      log,
      logger: loggerTo(lines),
    })
    const postponed = { event: 'registry.sweep.postponed' }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(postponed)), PATIENTLY)
    for (const blob of [SERVED, ORPHAN]) expect(await storage.blobs.has(hash(blob))).toBe(true)
    gate.resolve()
    await gone(storage.blobs, ORPHAN)
    expect(await storage.blobs.has(hash(SERVED))).toBe(true)
  })

  it('stay when a record of a log cannot be understood', async () => {
    await using storage = await openAged({ blobs: [ARTIFACT, ERRORS, SERVED, ORPHAN], hours: 25 })
    await nameInRecords(storage.log, NAMED)
    const subject = configSubject({ namespace: 'default', graph: 'another' })
    await storage.log.append(subject, { v: 99 }, 0)
    const lines: unknown[] = []
    await using _registry = await startRegistry({ ...parts(storage), ...OFTEN, logger: loggerTo(lines) })
    const postponed = { event: 'registry.sweep.postponed', reason: expect.stringContaining('sequence 2') }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(postponed)), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
  })

  it('stay when the logs name no blob at all, as before a restore', async () => {
    await using storage = await openAged({ blobs: [ORPHAN], hours: 25 })
    const lines: unknown[] = []
    await using _client = await startClient(storage, { ...OFTEN, logger: loggerTo(lines) })
    const postponed = { event: 'registry.sweep.postponed' }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(postponed)), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
  })

  it('stay when they are put again for a new record while they are being removed', async () => {
    await using storage = await openAged({ blobs: [ORPHAN], hours: 25 })
    await nameInRecords(storage.log, NAMED)
    const watched = watch(storage.blobs, async () => {
      await storage.blobs.put(Buffer.from(ORPHAN))
    })
    await using _client = await startClient({ ...storage, blobs: watched.store }, OFTEN)
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    expect(Buffer.from(await storage.blobs.get(hash(ORPHAN))).toString()).toBe(ORPHAN)
  })
})

/** The log, whose records of revisions arrive only when the gate opens. */
function withholdConfigs(log: EventLog, gate: Promise<void>): EventLog {
  return {
    append: (subject, record, expectedLast) => log.append(subject, record, expectedLast),
    read: (filter, from) => log.read(filter, from),
    async *follow(filter, from, signal) {
      if (filter.kind === 'log' && filter.log === 'configs') await gate
      yield* log.follow(filter, from, signal)
    },
    last: (filter) => log.last(filter),
    subjects: (name) => log.subjects(name),
    async [Symbol.asyncDispose]() {},
  }
}
