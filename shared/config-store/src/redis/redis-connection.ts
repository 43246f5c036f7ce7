/** The client of a config store, and who is told what keeps it from its work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { observeConnection, observeTlsFiles, type ServerProblem } from '@switchyard/service-kit'
import { ConfigStoreUnavailableError } from '../store/errors.ts'
import { describeAddress, parseRedisAddress, type RedisAddress } from './redis-address.ts'
import {
  checkFiles,
  createRedisClient,
  type RedisClient,
  redisSecrets,
  type RedisSecrets,
} from './redis-client.ts'
import { isAboutCommand, type RedisProblem, redisProblemOf } from './redis-problem.ts'
import type { RedisConnectionSettings } from './redis-settings.ts'

const FIRST_CONNECTION_MS = 2_000

/** Who is told what is wrong with Redis. */
export type RedisWatcher = {
  /** Told why Redis cannot be used; null when that is over. The same may be told again. */
  readonly onProblem?: (problem: ServerProblem | null) => void
  /** Told of rights that are missing. */
  readonly onWarning?: (problem: ServerProblem) => void
}

export class RedisConnection implements AsyncDisposable {
  readonly #settings: RedisConnectionSettings
  readonly #address: RedisAddress
  readonly #name: string
  readonly #watcher: RedisWatcher
  readonly #label: string
  readonly #observed: ReturnType<typeof observeConnection>
  readonly #certificates: Disposable
  readonly #readSecrets: () => RedisSecrets
  #secrets: RedisSecrets
  #client: RedisClient
  #problem: RedisProblem | null = null
  #disposed = false

  /** Throws InvalidStoreAddressError. */
  constructor(settings: RedisConnectionSettings, name: string, watcher: RedisWatcher) {
    this.#settings = settings
    this.#address = parseRedisAddress(settings.url)
    this.#name = name
    this.#watcher = watcher
    this.#label = describeAddress(this.#address)
    this.#observed = observeConnection('redis', this.#label.replace(/^Redis (?:at )?/, ''))
    this.#certificates = observeTlsFiles('redis', settings.tls)
    this.#readSecrets = redisSecrets(settings)
    this.#secrets = this.#readSecrets()
    this.#client = this.#create()
  }

  /** Resolves when connected, or after the first failed attempt. */
  async open(): Promise<void> {
    await Promise.race([this.#client.connect().catch(() => {}), sleep(FIRST_CONNECTION_MS)])
  }

  /** Throws ConfigStoreUnavailableError. */
  async ask<Value>(question: (client: RedisClient) => Promise<Value>): Promise<Value> {
    if (this.#disposed) throw new ConfigStoreUnavailableError('it was closed')
    try {
      const answer = await question(this.#client)
      if (this.#problem !== null && isAboutCommand(this.#problem)) this.#tell(null)
      return answer
    } catch (error) {
      const problem = redisProblemOf(error, this.#label, this.#name)
      if (problem.code === 'REDIS_PERMISSION_MISSING') this.#watcher.onWarning?.(problem)
      else if (isAboutCommand(problem)) this.#tell(problem)
      const reason = error instanceof Error ? error.message : String(error)
      throw new ConfigStoreUnavailableError(`${this.#label}: ${reason}`, error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    this.#observed[Symbol.dispose]()
    this.#certificates[Symbol.dispose]()
    this.#client.disconnect()
  }

  #create(): RedisClient {
    const client = createRedisClient({
      address: this.#address,
      settings: this.#settings,
      secrets: this.#secrets,
      connectionName: this.#name,
      onRetry: () => this.#renewIfSecretsChanged(),
    })
    client.on('ready', () => {
      this.#observed.connected = true
      if (this.#problem !== null && !isAboutCommand(this.#problem)) this.#tell(null)
    })
    client.on('close', () => (this.#observed.connected = false))
    // Without a listener the client would print to the console.
    client.on('error', (error) => this.#failed(error))
    client.on('sentinelError', (error) => this.#failed(error))
    client.on('node error', (error) => this.#failed(error))
    return client
  }

  #failed(error: unknown): void {
    if (this.#disposed) return
    let cause = error
    try {
      checkFiles(this.#settings)
    } catch (problem) {
      cause = problem
    }
    const problem = redisProblemOf(cause, this.#label, this.#name)
    // A general failure, such as that no node could be asked, says less than what was said about one of them.
    if (problem.code === 'REDIS_UNREACHABLE' && this.#problem !== null) return
    this.#tell(problem)
  }

  #tell(problem: RedisProblem | null): void {
    this.#problem = problem
    this.#watcher.onProblem?.(problem)
  }

  /** A client keeps the secrets that it was made with, so another one takes its place. */
  #renewIfSecretsChanged(): void {
    const secrets = this.#readSecrets()
    const { password, sentinelPassword } = this.#secrets
    if (password === secrets.password && sentinelPassword === secrets.sentinelPassword) return
    this.#secrets = secrets
    queueMicrotask(() => {
      if (this.#disposed) return
      this.#client.disconnect()
      this.#client = this.#create()
      this.#client.connect().catch(() => {})
    })
  }
}
