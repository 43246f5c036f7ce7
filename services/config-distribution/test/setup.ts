/** Real embedded storage and a real config store in a temporary directory, and what a router would check. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compositionSubject, ConfigRecord, configSubject, Manifest } from '@switchyard/contracts'
import { parsePieceList } from '@switchyard/contracts/artifact-pieces'
import type { CompositionRecord, ManifestContent } from '@switchyard/contracts'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog } from '@switchyard/event-log'
import { createLogger, type Logger } from '@switchyard/service-kit'
import { base64url, createLocalJWKSet, flattenedVerify } from 'jose'
import { createSigningKey, publicJwks, startConfigDistribution } from '../src/config-distribution.ts'
import type { ConfigDistribution, ConfigDistributionOptions, SigningKey } from '../src/config-distribution.ts'
import { type CutArtifact, GRAPH, hash } from './records.ts'

export type Bench = AsyncDisposable & {
  readonly directory: string
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
  readonly signingKey: SigningKey
  start(overrides?: Partial<ConfigDistributionOptions>): ConfigDistribution
  /** Stores the artifacts of these names, as the composer would have. */
  artifacts(...names: readonly string[]): Promise<void>
  /** Stores these artifacts as a whole and in pieces. */
  cutArtifacts(...artifacts: readonly CutArtifact[]): Promise<void>
  compose(record: CompositionRecord): Promise<number>
  configRecords(): Promise<readonly ConfigRecord[]>
}

export type Backends = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
}

/** Methods that return something to iterate over at once. */
const ITERATED = ['read', 'follow', 'list']

/** The same object, with `before` called, and waited for, before each method that returns a promise. */
export function intercepted<Target extends object>(
  target: Target,
  before: (method: string, args: readonly unknown[]) => unknown,
): Target {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      if (typeof property === 'symbol' || ITERATED.includes(property)) return value.bind(target)
      return async (...args: readonly unknown[]): Promise<unknown> => {
        await before(property, args)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

export type LogLine = {
  readonly event: string
  readonly msg: string
  readonly pieces?: readonly string[]
  readonly artifacts?: readonly string[]
  readonly count?: number
}

/** A logger, and the lines that were written to it. */
export function recordedLog(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  return { logger: createLogger({ name: 'config-distribution', level: 'debug', to: { write } }), lines }
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

export async function benchOn({ log, blobs, pieces, store, announcer }: Backends) {
  const signingKey = await createSigningKey()
  const last = async (subject: string) => (await log.last({ kind: 'subject', subject }))?.sequence ?? 0
  return {
    log,
    blobs,
    pieces,
    store,
    announcer,
    signingKey,
    start(overrides: Partial<ConfigDistributionOptions> = {}) {
      const parts = { log, blobs, pieces, store, announcer, signingKey, logger: QUIET }
      return startConfigDistribution({ ...parts, ...overrides })
    },
    async artifacts(...names: readonly string[]) {
      for (const name of names) await blobs.put(new TextEncoder().encode(name))
    },
    async cutArtifacts(...artifacts: readonly CutArtifact[]) {
      for (const { name, chunks, list } of artifacts) {
        await blobs.put(new TextEncoder().encode(name))
        for (const chunk of chunks) await pieces.put(new TextEncoder().encode(chunk))
        await pieces.put(new TextEncoder().encode(list))
      }
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

/**
 * The pieces that a router would not find whole in the store, of all that this manifest has in pieces: it
 * would read the whole artifact.
 */
export async function unusablePieces(
  store: ConfigStore,
  { base, featureFlags }: ManifestContent,
): Promise<readonly string[]> {
  const unusable = new Set<string>()
  const read = async (name: string): Promise<string | null> => {
    const packed = await store.getPiece(GRAPH, name)
    const text = packed === null ? null : gunzipSync(packed).toString('utf8')
    if (text !== null && hash(text) === name) return text
    unusable.add(name)
    return null
  }
  const references = base === null ? [] : [base, ...Object.values(featureFlags)]
  for (const { artifact, pieces } of references) {
    const text = pieces === undefined ? null : await read(pieces)
    if (text === null) continue
    const list = parsePieceList(new TextEncoder().encode(text))
    if (list.artifact !== artifact) unusable.add(pieces ?? '')
    for (const chunk of list.chunks) await read(chunk.sha256)
  }
  return [...unusable]
}

function artifactHashes({ base, featureFlags }: Manifest): readonly string[] {
  const flags = Object.values(featureFlags).map(({ artifact }) => artifact)
  return base === null ? flags : [base.artifact, ...flags]
}
