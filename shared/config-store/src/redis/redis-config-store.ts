/**
 * The config store of a fleet: Redis, alone, behind Sentinel, or as a cluster.
 *
 * It holds nothing that the config log does not have, so no write here needs to be durable: after a flush, a failover
 * that lost writes or an eviction, the writer projects again. What matters is that a manifest is only replaced by a
 * newer one, whoever writes, which one script does in one step.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { checkArtifact, checkHash } from '../artifact.ts'
import type { ConfigStore, GraphKey, ManifestVersion, StoredManifest } from '../config-store.ts'
import { ConfigStoreUnavailableError } from '../errors.ts'
import { HISTORY_LIMIT } from '../manifest-version.ts'
import { graphKeys } from './keys.ts'
import { describeAddress, parseRedisAddress } from './redis-address.ts'
import { createRedisClient, type RedisClient } from './redis-client.ts'
import { DELETE_ARTIFACT, WRITE_ARTIFACT, WRITE_MANIFEST } from './scripts.ts'

const FIRST_CONNECTION_MS = 2_000

export type RedisConfigStoreOptions = {
  /** See parseRedisAddress for the forms: one server, Sentinel, cluster; with or without TLS. */
  readonly url: string
  /** Shown in Redis's list of connections. */
  readonly name?: string
  /** Told about keys that do not hold what was written and therefore count as missing. */
  readonly onCorruption?: (key: string, problem: string) => void
}

/**
 * Returns when connected, or after the first failed attempt: a router with a last-known-good copy starts without Redis.
 * Until there is a connection every call throws ConfigStoreUnavailableError. Throws InvalidStoreAddressError.
 */
export async function openRedisConfigStore({
  url,
  name = 'switchyard',
  onCorruption = () => {},
}: RedisConfigStoreOptions): Promise<ConfigStore> {
  const address = parseRedisAddress(url)
  const client = createRedisClient(address, name)
  // Every call reports its own failure; without a listener the client would print to the console.
  client.on('error', () => {})
  await Promise.race([client.connect().catch(() => {}), sleep(FIRST_CONNECTION_MS)])
  return new RedisConfigStore(client, describeAddress(address), onCorruption)
}

class RedisConfigStore implements ConfigStore {
  readonly #client: RedisClient
  readonly #label: string
  readonly #onCorruption: (key: string, problem: string) => void
  #disposed = false

  constructor(client: RedisClient, label: string, onCorruption: (key: string, problem: string) => void) {
    this.#client = client
    this.#label = label
    this.#onCorruption = onCorruption
  }

  async getManifest(graph: GraphKey): Promise<StoredManifest | null> {
    const { manifest: key } = graphKeys(graph)
    const fields = await this.#ask(() =>
      orWrongType(this.#client.hmgetBuffer(key, 'epoch', 'revision', 'manifest', 'signature')),
    )
    if (fields !== null && fields.every((field) => field === null)) return null
    const parsed = fields === null ? null : parseManifest(fields)
    if (parsed === null) this.#onCorruption(key, 'not a manifest as it was written')
    return parsed
  }

  async putManifest(graph: GraphKey, manifest: StoredManifest): Promise<'written' | 'older'> {
    return (await this.#writeManifest(graph, manifest, 'newer')) === 1 ? 'written' : 'older'
  }

  async replaceManifest(graph: GraphKey, manifest: StoredManifest): Promise<void> {
    await this.#writeManifest(graph, manifest, 'replace')
  }

  async history(graph: GraphKey, limit: number): Promise<readonly ManifestVersion[]> {
    if (limit <= 0) return []
    const { history: key } = graphKeys(graph)
    const versions = await this.#ask(() => orWrongType(this.#client.lrange(key, 0, limit - 1)))
    const parsed = (versions ?? []).map(parseVersion)
    if (versions === null || parsed.includes(null)) this.#onCorruption(key, 'not a history as it was written')
    return parsed.filter((version) => version !== null)
  }

  async getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null> {
    checkHash(sha256)
    const bytes = await this.#ask(() => this.#client.getBuffer(graphKeys(graph).artifact(sha256)))
    return bytes === null ? null : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  async putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void> {
    checkArtifact(sha256, gzipped)
    const { artifact, artifacts } = graphKeys(graph)
    const bytes = Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.byteLength)
    await this.#ask(() =>
      this.#client.eval(WRITE_ARTIFACT, 2, artifact(sha256), artifacts, sha256, bytes, String(Date.now())),
    )
  }

  async hasArtifact(graph: GraphKey, sha256: string): Promise<boolean> {
    checkHash(sha256)
    return (await this.#ask(() => this.#client.exists(graphKeys(graph).artifact(sha256)))) === 1
  }

  async listArtifacts(
    graph: GraphKey,
  ): Promise<readonly { readonly sha256: string; readonly storedAt: number }[]> {
    const { artifacts: key } = graphKeys(graph)
    const pairs = await this.#ask(() => this.#client.zrange(key, '0', '-1', 'WITHSCORES'))
    return pairs.flatMap((sha256, index) =>
      index % 2 === 0 ? [{ sha256, storedAt: Number(pairs[index + 1] ?? 0) }] : [],
    )
  }

  async deleteArtifact(graph: GraphKey, sha256: string): Promise<void> {
    checkHash(sha256)
    const { artifact, artifacts } = graphKeys(graph)
    await this.#ask(() => this.#client.eval(DELETE_ARTIFACT, 2, artifact(sha256), artifacts, sha256))
  }

  async ping(): Promise<void> {
    await this.#ask(() => this.#client.ping())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    this.#client.disconnect()
  }

  #writeManifest(graph: GraphKey, stored: StoredManifest, condition: 'newer' | 'replace'): Promise<unknown> {
    const { manifest: key, history } = graphKeys(graph)
    const { version, manifest, signature } = stored
    const bytes = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.byteLength)
    const versionText = [String(version.epoch), String(version.revision)]
    return this.#ask(() =>
      this.#client.eval(
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

  async #ask<Value>(question: () => Promise<Value>): Promise<Value> {
    if (this.#disposed) throw new ConfigStoreUnavailableError('it was closed')
    try {
      return await question()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ConfigStoreUnavailableError(`${this.#label}: ${reason}`, error)
    }
  }
}

function parseManifest(fields: readonly (Buffer | null)[]): StoredManifest | null {
  const [epoch, revision, manifest, signature] = fields
  const version = parseVersion(`${epoch?.toString() ?? ''}:${revision?.toString() ?? ''}`)
  if (version === null || manifest == null || signature == null) return null
  return { version, manifest: new Uint8Array(manifest), signature: signature.toString() }
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
