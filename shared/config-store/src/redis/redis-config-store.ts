/**
 * The config store of a fleet: Redis, alone, behind Sentinel, or as a cluster.
 *
 * It holds nothing that the config log does not have, so no write here needs to be durable: after a flush, a
 * failover that lost writes or an eviction, the writer projects again. What matters is that a manifest is
 * only replaced by a newer one, whoever writes, which one script does in one step.
 */
import { MAX_HEAD_BYTES, MAX_MANIFEST_BYTES, MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { checkArtifact, checkHash } from '../store/artifact.ts'
import type { ConfigStore, GraphKey, ManifestVersion, StoredManifest } from '../store/config-store.ts'
import {
  MAX_HISTORY_ENTRY_BYTES,
  MAX_LISTED_ARTIFACTS,
  MAX_NUMBER_BYTES,
  MAX_SIGNATURE_BYTES,
} from '../store/limits.ts'
import { HISTORY_LIMIT } from '../store/manifest-version.ts'
import { graphKeys } from './keys.ts'
import { RedisConnection, type RedisWatcher } from './redis-connection.ts'
import type { RedisConnectionSettings } from './redis-settings.ts'
import {
  DELETE_ARTIFACT,
  LIST_ARTIFACTS,
  READ_HISTORY,
  READ_MANIFEST,
  WRITE_ARTIFACT,
  WRITE_MANIFEST,
} from './scripts.ts'

const PART_BYTES = 1024 * 1024

export type RedisConfigStoreOptions = RedisConnectionSettings &
  RedisWatcher & {
    /** Shown in Redis's list of connections. */
    readonly name?: string
    /** Called for keys that do not hold what was written and therefore count as missing. */
    readonly onCorruption?: (key: string, problem: string) => void
  }

export class RedisConfigStore implements ConfigStore {
  readonly #connection: RedisConnection
  readonly #onCorruption: (key: string, problem: string) => void

  /**
   * Returns when connected, or after the first failed attempt: a router with a last-known-good copy starts
   * without Redis. Until there is a connection every call throws ConfigStoreUnavailableError. Throws
   * InvalidStoreAddressError.
   */
  static async open({
    name = 'switchyard',
    onCorruption = () => {},
    ...options
  }: RedisConfigStoreOptions): Promise<ConfigStore> {
    const connection = new RedisConnection(options, name, options)
    await connection.open()
    return new RedisConfigStore(connection, onCorruption)
  }

  constructor(connection: RedisConnection, onCorruption: (key: string, problem: string) => void) {
    this.#connection = connection
    this.#onCorruption = onCorruption
  }

  async getManifest(graph: GraphKey): Promise<StoredManifest | null> {
    const { manifest: key } = graphKeys(graph)
    const limits = [MAX_NUMBER_BYTES, MAX_MANIFEST_BYTES, MAX_SIGNATURE_BYTES].map(String)
    const found = await this.#connection.ask((client) =>
      client.callBuffer('eval', READ_MANIFEST, '1', key, ...limits),
    )
    if (Array.isArray(found) && found.length === 0) return null
    const parsed = Array.isArray(found) ? parseManifest(found) : null
    if (parsed === null) this.#onCorruption(key, problemOf(found, 'not a manifest as it was written'))
    return parsed
  }

  async putManifest(graph: GraphKey, manifest: StoredManifest): Promise<'written' | 'older'> {
    return (await this.#writeManifest(graph, manifest, 'newer')) === 1 ? 'written' : 'older'
  }

  async replaceManifest(graph: GraphKey, manifest: StoredManifest): Promise<void> {
    await this.#writeManifest(graph, manifest, 'replace')
  }

  async getHead(graph: GraphKey): Promise<string | null> {
    const { head: key } = graphKeys(graph)
    // One byte more than there may be tells that there is more.
    const text = await this.#connection.ask((client) => orWrongType(client.getrange(key, 0, MAX_HEAD_BYTES)))
    if (text !== null && text.length <= MAX_HEAD_BYTES) return text === '' ? null : text
    this.#onCorruption(key, 'not a head as it was written')
    return null
  }

  async putHead(graph: GraphKey, head: string): Promise<void> {
    await this.#connection.ask((client) => client.set(graphKeys(graph).head, head))
  }

  async history(graph: GraphKey, limit: number): Promise<readonly ManifestVersion[]> {
    if (limit <= 0) return []
    const { history: key } = graphKeys(graph)
    const limits = [Math.min(limit, HISTORY_LIMIT), MAX_HISTORY_ENTRY_BYTES].map(String)
    const found = await this.#connection.ask((client) => client.eval(READ_HISTORY, 1, key, ...limits))
    const parsed = Array.isArray(found) ? found.map((version) => parseVersion(String(version))) : [null]
    if (parsed.includes(null)) this.#onCorruption(key, problemOf(found, 'not a history as it was written'))
    return parsed.filter((version) => version !== null)
  }

  async getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    checkHash(sha256)
    const key = graphKeys(graph).artifact(sha256)
    // 0: it is not there; null: it is no text.
    const size = await this.#connection.ask((client) => orWrongType(client.strlen(key)))
    if (size === null || size > MAX_PACKED_ARTIFACT_BYTES) {
      this.#onCorruption(
        key,
        size === null
          ? 'not an artifact as it was written'
          : `it has ${size} bytes, expected ${MAX_PACKED_ARTIFACT_BYTES} at most`,
      )
      return null
    }
    return size === 0 ? null : await this.#readInParts(key, size)
  }

  async putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    checkArtifact(sha256, gzipped)
    const { artifact, artifacts } = graphKeys(graph)
    const bytes = Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.byteLength)
    await this.#connection.ask((client) =>
      client.eval(WRITE_ARTIFACT, 2, artifact(sha256), artifacts, sha256, bytes, String(Date.now())),
    )
  }

  async hasArtifact(graph: GraphKey, sha256: string): Promise<boolean> {
    checkHash(sha256)
    return (await this.#connection.ask((client) => client.exists(graphKeys(graph).artifact(sha256)))) === 1
  }

  async listArtifacts(
    graph: GraphKey,
  ): Promise<readonly { readonly sha256: string; readonly storedAt: number }[]> {
    const { artifacts: key } = graphKeys(graph)
    const most = String(MAX_LISTED_ARTIFACTS)
    const found = await this.#connection.ask((client) => client.eval(LIST_ARTIFACTS, 1, key, most))
    const pairs = Array.isArray(found) ? found.map(String) : []
    return pairs.flatMap((sha256, index) =>
      index % 2 === 0 ? [{ sha256, storedAt: Number(pairs[index + 1] ?? 0) }] : [],
    )
  }

  async deleteArtifact(graph: GraphKey, sha256: string): Promise<void> {
    checkHash(sha256)
    const { artifact, artifacts } = graphKeys(graph)
    await this.#connection.ask((client) =>
      client.eval(DELETE_ARTIFACT, 2, artifact(sha256), artifacts, sha256),
    )
  }

  async ping(): Promise<void> {
    await this.#connection.ask((client) => client.ping())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]()
  }

  /**
   * Reads a value in parts, so that neither the server nor the client's parser has to hold a large answer as
   * a whole. Never reads more than `size` bytes: the value may have been replaced since its size was asked
   * for, which its hash then shows.
   */
  async #readInParts(key: string, size: number): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(size)
    for (let from = 0; from < size; from += PART_BYTES) {
      const to = Math.min(from + PART_BYTES, size) - 1
      const part = await this.#connection.ask((client) => orWrongType(client.getrangeBuffer(key, from, to)))
      if (part === null || part.length === 0) return null
      bytes.set(part, from)
      if (part.length <= to - from) return bytes.subarray(0, from + part.length)
    }
    return bytes
  }

  #writeManifest(graph: GraphKey, stored: StoredManifest, condition: 'newer' | 'replace'): Promise<unknown> {
    const { manifest: key, history } = graphKeys(graph)
    const { version, manifest, signature } = stored
    const bytes = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.byteLength)
    const versionText = [String(version.epoch), String(version.revision)]
    return this.#connection.ask((client) =>
      client.eval(
        WRITE_MANIFEST,
        2,
        key,
        history,
        ...versionText,
        bytes,
        signature,
        condition,
        String(HISTORY_LIMIT),
      ),
    )
  }
}

function parseManifest(fields: readonly unknown[]): StoredManifest | null {
  const [epoch, revision, manifest, signature] = fields
  if (!isBuffer(epoch) || !isBuffer(revision) || !isBuffer(manifest) || !isBuffer(signature)) return null
  const version = parseVersion(`${epoch.toString()}:${revision.toString()}`)
  if (version === null) return null
  return { version, manifest: new Uint8Array(manifest), signature: signature.toString() }
}

function isBuffer(value: unknown): value is Buffer {
  return Buffer.isBuffer(value)
}

/** A script answers with a text where it found something wrong. */
function problemOf(answer: unknown, otherwise: string): string {
  return typeof answer === 'string' || isBuffer(answer) ? answer.toString() : otherwise
}

function parseVersion(text: string): ManifestVersion | null {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(text)
  return match === null ? null : { epoch: Number(match[1]), revision: Number(match[2]) }
}

/** Null when the key holds another kind of value than ours. */
async function orWrongType<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null
    throw error
  }
}
