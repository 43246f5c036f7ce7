/**
 * The config store of a fleet: Redis, alone, behind Sentinel, or as a cluster.
 *
 * It holds nothing that the config log does not have, so no write here needs to be durable: after a flush, a
 * failover that lost writes or an eviction, the writer projects again. What matters is that a manifest is
 * only replaced by a newer one, whoever writes, which one script does in one step.
 */
import { MAX_HEAD_BYTES, MAX_MANIFEST_BYTES } from '@switchyard/contracts'
import type {
  ConfigStore,
  GraphKey,
  ListedHash,
  ManifestVersion,
  StoredManifest,
} from '../store/config-store.ts'
import { MAX_HISTORY_ENTRY_BYTES, MAX_NUMBER_BYTES, MAX_SIGNATURE_BYTES } from '../store/limits.ts'
import { HISTORY_LIMIT } from '../store/manifest-version.ts'
import { graphKeys } from './keys.ts'
import { PackedValues } from './packed-values.ts'
import { RedisConnection, type RedisWatcher } from './redis-connection.ts'
import type { RedisConnectionSettings } from './redis-settings.ts'
import { READ_HISTORY, READ_MANIFEST, WRITE_MANIFEST } from './scripts.ts'
import { orWrongType } from './wrong-type.ts'

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
  readonly #artifacts: PackedValues
  readonly #pieces: PackedValues

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
    this.#artifacts = new PackedValues(connection, {
      keysOf: (graph) => graphKeys(graph).artifacts,
      name: 'an artifact',
      onCorruption,
    })
    this.#pieces = new PackedValues(connection, {
      keysOf: (graph) => graphKeys(graph).pieces,
      name: 'a piece',
      onCorruption,
    })
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

  getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    return this.#artifacts.get(graph, sha256)
  }

  putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    return this.#artifacts.put(graph, sha256, gzipped)
  }

  hasArtifact(graph: GraphKey, sha256: string): Promise<boolean> {
    return this.#artifacts.has(graph, sha256)
  }

  listArtifacts(graph: GraphKey): Promise<readonly ListedHash[]> {
    return this.#artifacts.list(graph)
  }

  deleteArtifact(graph: GraphKey, sha256: string): Promise<void> {
    return this.#artifacts.delete(graph, sha256)
  }

  getPiece(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    return this.#pieces.get(graph, sha256)
  }

  putPieces(graph: GraphKey, pieces: ReadonlyMap<string, Uint8Array>): Promise<void> {
    return this.#pieces.putAll(graph, pieces)
  }

  renewPieces(graph: GraphKey, sha256s: Iterable<string>): Promise<readonly string[]> {
    return this.#pieces.renew(graph, sha256s)
  }

  listPieces(graph: GraphKey): Promise<readonly ListedHash[]> {
    return this.#pieces.list(graph)
  }

  deletePiece(graph: GraphKey, sha256: string, storedBefore: number): Promise<void> {
    return this.#pieces.deleteOld(graph, sha256, storedBefore)
  }

  async ping(): Promise<void> {
    await this.#connection.ask((client) => client.ping())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]()
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
