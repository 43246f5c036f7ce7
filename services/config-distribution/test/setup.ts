/** Real embedded storage and a real config store in a temporary directory, and what a router would check. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compositionSubject, ConfigRecord, configSubject, Manifest } from '@switchyard/contracts'
import type { CompositionRecord } from '@switchyard/contracts'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { base64url, createLocalJWKSet, flattenedVerify } from 'jose'
import { createSigningKey, publicJwks, startConfigDistribution } from '../src/config-distribution.ts'
import type { ConfigDistribution, ConfigDistributionOptions, SigningKey } from '../src/config-distribution.ts'
import { GRAPH, hash } from './records.ts'

export type Bench = AsyncDisposable & {
  readonly directory: string
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
  readonly signingKey: SigningKey
  start(overrides?: Partial<ConfigDistributionOptions>): ConfigDistribution
  /** Stores the artifacts of these names, as the composer would have. */
  artifacts(...names: readonly string[]): Promise<void>
  compose(record: CompositionRecord): Promise<number>
  configRecords(): Promise<readonly ConfigRecord[]>
}

export type Backends = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
}

export const QUIET = createLogger({ name: 'config-distribution', level: 'silent' })

export async function openBench(): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-config-'))
  const storage = await openSqliteEventLog({ dataDir: join(directory, 'data') })
  const store = await openDirectoryConfigStore({ directory: join(directory, 'config') })
  const announcer = createMemoryAnnouncer()
  const bench = await benchOn({ ...storage, store, announcer })
  return {
    ...bench,
    directory,
    async [Symbol.asyncDispose]() {
      await announcer[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export async function benchOn({ log, blobs, store, announcer }: Backends) {
  const signingKey = await createSigningKey()
  const last = async (subject: string) => (await log.last({ kind: 'subject', subject }))?.sequence ?? 0
  return {
    log,
    blobs,
    store,
    announcer,
    signingKey,
    start(overrides: Partial<ConfigDistributionOptions> = {}) {
      const parts = { log, blobs, store, announcer, signingKey, logger: QUIET }
      return startConfigDistribution({ ...parts, ...overrides })
    },
    async artifacts(...names: readonly string[]) {
      for (const name of names) await blobs.put(new TextEncoder().encode(name))
    },
    async compose(record: CompositionRecord) {
      const subject = compositionSubject(record)
      return log.append(subject, record, await last(subject))
    },
    async configRecords() {
      const records: ConfigRecord[] = []
      const filter = { kind: 'subject', subject: configSubject(GRAPH) } as const
      for await (const { record } of log.read(filter, 1)) records.push(ConfigRecord.parse(record))
      return records
    },
  }
}

/**
 * The manifest in the store, checked the way a router does: signature, artifacts, hashes. Null when there is
 * none.
 */
export async function servedManifest(store: ConfigStore, signingKey: SigningKey): Promise<Manifest | null> {
  const stored = await store.getManifest(GRAPH)
  if (stored === null) return null
  const [header = '', payload, signature = ''] = stored.signature.split('.')
  if (payload !== '') throw new Error('the payload is not detached')
  const keys = createLocalJWKSet({ keys: publicJwks(signingKey).keys })
  const jws = { protected: header, payload: base64url.encode(stored.manifest), signature }
  await flattenedVerify(jws, keys, { algorithms: ['EdDSA'] })
  const manifest = Manifest.parse(JSON.parse(new TextDecoder().decode(stored.manifest)))
  if (manifest.epoch !== stored.version.epoch || manifest.revision !== stored.version.revision) {
    throw new Error('the version beside the manifest differs from the one in it')
  }
  for (const name of artifactHashes(manifest)) {
    const packed = await store.getArtifact(GRAPH, name)
    if (packed === null) throw new Error(`artifact ${name} is missing`)
    if (hash(gunzipSync(packed).toString('utf8')) !== name) throw new Error(`artifact ${name} is damaged`)
  }
  return manifest
}

function artifactHashes({ base, featureFlags }: Manifest): readonly string[] {
  const flags = Object.values(featureFlags).map(({ artifact }) => artifact)
  return base === null ? flags : [base.artifact, ...flags]
}
