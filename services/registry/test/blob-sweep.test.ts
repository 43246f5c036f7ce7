/**
 * Blobs that no record names, on a real SQLite store. Their age comes from the database, the time from the
 * test.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type CompositionRecord,
  compositionSubject,
  type ConfigRecord,
  configSubject,
  EXECUTION_CONFIG_FORMAT,
} from '@switchyard/contracts'
import { type BlobStore, type EventLog, openSqliteEventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi, onTestFinished } from 'vitest'
import { startRegistry } from '../src/registry.ts'
import {
  BOOTSTRAP_KEY,
  GRAPH,
  openStorage,
  outcome,
  ROUTING_URL,
  startClient,
  type Storage,
} from './harness.ts'

const HOUR_MS = 60 * 60 * 1000
const SDL = ['type Query { first: Int }', 'type Query { second: Int }'] as const
const [ARTIFACT, ERRORS, SERVED, ORPHAN] = ['an artifact', 'many errors', 'a served artifact', 'an orphan']
/** Each sweep is hours after the one before. */
const OFTEN = { blobSweepIntervalMs: 20, monotonicNow: () => performance.now() * HOUR_MS }

describe('blobs that no record names', () => {
  it('are removed when they are older than a day, and nothing else is', async () => {
    await using storage = await openAged([ARTIFACT, ERRORS, SERVED, ORPHAN], 25)
    const lines: unknown[] = []
    await nameInRecords(storage.log)
    await using client = await startClient(storage, { ...OFTEN, logger: loggerTo(lines) })
    await gone(storage.blobs, ORPHAN)
    for (const named of [ARTIFACT, ERRORS, SERVED]) expect(await storage.blobs.has(hash(named))).toBe(true)
    expect(client.registry.ready()).toEqual({ ok: true })
    expect(swept(lines)).toMatchObject([{ sha256: hash(ORPHAN), bytes: ORPHAN.length }])
  })

  it('stay while they are younger than a day', async () => {
    await using storage = await openAged([ORPHAN], 23)
    await nameInRecords(storage.log)
    const watched = watch(storage.blobs)
    let ahead = 0
    const now = () => Date.now() + ahead
    await using client = await startClient({ ...storage, blobs: watched.blobs }, { ...OFTEN, now })
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
    ahead = 2 * HOUR_MS
    await gone(storage.blobs, ORPHAN)
    expect(client.registry.ready()).toEqual({ ok: true })
  })

  it('stay, whatever clocks say, while this registry has not seen them without a name for two hours', async () => {
    await using storage = await openAged([ORPHAN], 0)
    await nameInRecords(storage.log)
    const watched = watch(storage.blobs)
    let monotonic = 0
    const wrong = { now: () => Date.now() + 30 * 24 * HOUR_MS, monotonicNow: () => monotonic }
    await using _client = await startClient({ ...storage, blobs: watched.blobs }, { ...OFTEN, ...wrong })
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    monotonic = 2 * HOUR_MS - 1
    const before = watched.listed()
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(before + 2), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
    monotonic = 2 * HOUR_MS
    await gone(storage.blobs, ORPHAN)
  })

  it('do not include schemas that were replaced by newer ones', async () => {
    await using storage = await openAged([...SDL, ORPHAN], 0)
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
    await using storage = await openAged([ARTIFACT, ERRORS, SERVED, ORPHAN], 25)
    await nameInRecords(storage.log)
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
    await using storage = await openAged([ARTIFACT, ERRORS, SERVED, ORPHAN], 25)
    await nameInRecords(storage.log)
    const subject = configSubject({ namespace: 'default', graph: 'another' })
    await storage.log.append(subject, { v: 99 }, 0)
    const lines: unknown[] = []
    await using _registry = await startRegistry({ ...parts(storage), ...OFTEN, logger: loggerTo(lines) })
    const postponed = { event: 'registry.sweep.postponed', reason: expect.stringContaining('sequence 2') }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(postponed)), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
  })

  it('stay when the logs name no blob at all, as before a restore', async () => {
    await using storage = await openAged([ORPHAN], 25)
    const lines: unknown[] = []
    await using _client = await startClient(storage, { ...OFTEN, logger: loggerTo(lines) })
    const postponed = { event: 'registry.sweep.postponed' }
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(postponed)), PATIENTLY)
    expect(await storage.blobs.has(hash(ORPHAN))).toBe(true)
  })

  it('stay when they are put again for a new record while they are being removed', async () => {
    await using storage = await openAged([ORPHAN], 25)
    await nameInRecords(storage.log)
    const watched = watch(storage.blobs, async () => {
      await storage.blobs.put(Buffer.from(ORPHAN))
    })
    await using _client = await startClient({ ...storage, blobs: watched.blobs }, OFTEN)
    await vi.waitFor(() => expect(watched.listed()).toBeGreaterThan(2), PATIENTLY)
    expect(Buffer.from(await storage.blobs.get(hash(ORPHAN))).toString()).toBe(ORPHAN)
  })
})

/** Storage that holds these blobs since so many hours. */
async function openAged(blobs: readonly string[], hours: number): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'registry-sweep-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const storage = await openSqliteEventLog({ dataDir })
  for (const blob of blobs) await storage.blobs.put(Buffer.from(blob))
  await storage[Symbol.asyncDispose]()
  const database = new DatabaseSync(join(dataDir, 'switchyard.db'))
  database.prepare('UPDATE blobs SET stored_at = stored_at - ?').run(hours * HOUR_MS)
  database.close()
  return openStorage(dataDir)
}

/** A composition that names an artifact and a list of errors, and a revision that names another artifact. */
async function nameInRecords(log: EventLog): Promise<void> {
  const inputHash = hash('inputs')
  const composition: CompositionRecord = {
    v: 1,
    type: 'composition.completed',
    ...GRAPH,
    registrySequence: 0,
    base: { status: 'composed', inputHash, artifact: hash(ARTIFACT), hints: [] },
    featureFlags: [
      {
        name: 'next',
        unpublished: [],
        result: {
          status: 'failed',
          inputHash,
          unchanged: false,
          errors: [],
          errorCount: 30,
          errorsBlob: hash(ERRORS),
          hints: [],
        },
      },
    ],
    pinnedRevision: null,
  }
  await log.append(compositionSubject(GRAPH), composition, 0)
  const version = { epoch: 1, revision: 1 }
  const config: ConfigRecord = {
    v: 1,
    type: 'config.published',
    ...version,
    manifest: JSON.stringify({
      formatVersion: EXECUTION_CONFIG_FORMAT,
      graph: { namespace: GRAPH.namespace, name: GRAPH.graph },
      ...version,
      createdAt: new Date().toISOString(),
      registrySequence: 0,
      base: { artifact: hash(SERVED) },
      featureFlags: {},
      traceKeys: { keys: [] },
    }),
    signature: 'none',
    cause: { compositionSequence: 1, registrySequence: 0, reason: 'composition' },
  }
  await log.append(configSubject(GRAPH), config, 0)
}

function parts({ log, blobs, announcer }: Storage) {
  const logger = createLogger({ name: 'registry', level: 'silent' })
  return { log, blobs, announcer, logger, host: '127.0.0.1', port: 0, bootstrapApiKey: BOOTSTRAP_KEY }
}

/**
 * The store, counting how often it was listed to the end; `onEntry` runs between listing a blob and what is
 * done then.
 */
function watch(blobs: BlobStore, onEntry: () => Promise<void> = async () => {}) {
  let listed = 0
  const watched: BlobStore = {
    put: (bytes) => blobs.put(bytes),
    get: (sha256) => blobs.get(sha256),
    has: (sha256) => blobs.has(sha256),
    delete: (sha256, storedBefore) => blobs.delete(sha256, storedBefore),
    async *list() {
      for await (const entry of blobs.list()) {
        await onEntry()
        yield entry
      }
      listed += 1
    },
    async [Symbol.asyncDispose]() {},
  }
  return { blobs: watched, listed: () => listed }
}

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

async function gone(blobs: BlobStore, content: string): Promise<void> {
  await vi.waitFor(async () => expect(await blobs.has(hash(content))).toBe(false), PATIENTLY)
}

function loggerTo(lines: unknown[]) {
  return createLogger({ name: 'registry', to: { write: (line) => void lines.push(JSON.parse(line)) } })
}

function swept(lines: readonly unknown[]): readonly unknown[] {
  return lines.filter(
    (line) =>
      typeof line === 'object' && line !== null && 'event' in line && line.event === 'registry.blob.swept',
  )
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
