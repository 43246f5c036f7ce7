/** Storage of a chosen age, records that name what it holds, and stores that can be watched. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type ArtifactReference,
  type CompositionRecord,
  compositionSubject,
  type ConfigRecord,
  configSubject,
  EXECUTION_CONFIG_FORMAT,
} from '@switchyard/contracts'
import { type BlobStore, type EventLog, openSqliteEventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { expect, onTestFinished, vi } from 'vitest'
import { BOOTSTRAP_KEY, GRAPH, openStorage, type Storage } from '../harness.ts'
import { hash } from '../pieces.ts'

export const HOUR_MS = 60 * 60 * 1000
/** Each sweep is hours after the one before. */
export const OFTEN = { blobSweepIntervalMs: 20, monotonicNow: () => performance.now() * HOUR_MS }

type Aged = {
  readonly blobs?: readonly string[]
  readonly pieces?: readonly string[]
  readonly hours: number
  /** The bytes that are stored instead. */
  readonly damaged?: string
}

/** Storage that holds these texts since so many hours. */
export async function openAged(...texts: readonly Aged[]): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'registry-sweep-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const storage = await openSqliteEventLog({ dataDir })
  for (const { blobs = [], pieces = [] } of texts) {
    for (const text of blobs) await storage.blobs.put(Buffer.from(text))
    for (const text of pieces) await storage.pieces.put(Buffer.from(text))
  }
  await storage[Symbol.asyncDispose]()
  const database = new DatabaseSync(join(dataDir, 'switchyard.db'))
  for (const { blobs = [], pieces = [], hours, damaged } of texts) {
    for (const [table, stored] of Object.entries({ blobs, pieces })) {
      for (const sha256 of stored.map(hash)) {
        const older = `UPDATE ${table} SET stored_at = stored_at - ? WHERE sha256 = ?`
        database.prepare(older).run(hours * HOUR_MS, sha256)
        if (damaged === undefined) continue
        database.prepare(`UPDATE ${table} SET bytes = ? WHERE sha256 = ?`).run(Buffer.from(damaged), sha256)
      }
    }
  }
  database.close()
  return openStorage(dataDir)
}

export type Named = {
  readonly composed: ArtifactReference
  readonly errors: string
  readonly served: ArtifactReference
}

/** A composition that names an artifact and a list of errors, and a revision that names another artifact. */
export async function nameInRecords(log: EventLog, { composed, errors, served }: Named): Promise<void> {
  await log.append(compositionSubject(GRAPH), compositionOf(composed, errors), 0)
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
      base: served,
      featureFlags: {},
      traceKeys: { keys: [] },
    }),
    signature: 'none',
    cause: { compositionSequence: 1, registrySequence: 0, reason: 'composition' },
  }
  await log.append(configSubject(GRAPH), config, 0)
}

export function compositionOf(composed: ArtifactReference, errorsBlob = hash('none')): CompositionRecord {
  const inputHash = hash('inputs')
  return {
    v: 1,
    type: 'composition.completed',
    ...GRAPH,
    registrySequence: 0,
    base: { status: 'composed', inputHash, ...composed, hints: [] },
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
          errorsBlob,
          hints: [],
        },
      },
    ],
    pinnedRevision: null,
  }
}

/** The options of a registry that is not waited for. */
export function parts({ log, blobs, pieces, announcer }: Storage) {
  const logger = createLogger({ name: 'registry', level: 'silent' })
  const address = { host: '127.0.0.1', port: 0 }
  return { log, blobs, pieces, announcer, logger, ...address, bootstrapApiKey: BOOTSTRAP_KEY }
}

/**
 * The store, counting how often it was listed, at all and to the end, and what was read; `onEntry` runs
 * between listing a blob and what is done then.
 */
export function watch(store: BlobStore, onEntry: () => Promise<void> = async () => {}) {
  let begun = 0
  let listed = 0
  const read: string[] = []
  const watched: BlobStore = {
    put: (bytes) => store.put(bytes),
    putAll: (blobs) => store.putAll(blobs),
    get: (sha256) => {
      read.push(sha256)
      return store.get(sha256)
    },
    has: (sha256) => store.has(sha256),
    delete: (sha256, storedBefore) => store.delete(sha256, storedBefore),
    async *list() {
      begun += 1
      for await (const entry of store.list()) {
        await onEntry()
        yield entry
      }
      listed += 1
    },
    async [Symbol.asyncDispose]() {},
  }
  return { store: watched, begun: () => begun, listed: () => listed, read }
}

export async function gone(store: BlobStore, content: string): Promise<void> {
  await vi.waitFor(async () => expect(await store.has(hash(content))).toBe(false), PATIENTLY)
}

export function loggerTo(lines: unknown[]) {
  return createLogger({ name: 'registry', to: { write: (line) => void lines.push(JSON.parse(line)) } })
}

export function swept(lines: readonly unknown[]): readonly { readonly sha256: string }[] {
  return lines.filter(
    (line): line is { sha256: string } =>
      typeof line === 'object' && line !== null && 'event' in line && line.event === 'registry.blob.swept',
  )
}
