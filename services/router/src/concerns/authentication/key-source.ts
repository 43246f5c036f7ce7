/**
 * One JWKS of a provider, at a URL or in a file. It is read at the start, from time to time, and when asked
 * for.
 */
import { open } from 'node:fs/promises'
import { messageOf } from '@switchyard/values'
import type { AddressGuard } from '../../addresses/address-guard.ts'
import type { AuthenticationConfig, ProviderConfig } from './settings.ts'
import type { ProviderEvents } from './events.ts'
import { KeySetError, type ReadKeys, readKeySet } from './key-set.ts'

/** The longest time between two readings of a file, which cost little. Milliseconds. */
const FILE_INTERVAL = 10_000
const MAX_FILE_SIZE = 1024 * 1024

/** The settings by which all sources are read. */
export type KeyReading = {
  readonly config: Pick<AuthenticationConfig, 'refreshInterval' | 'refreshCooldown' | 'timeout'>
  readonly guard: AddressGuard
}

/** Reads one source, and keeps its last keys while it cannot be read. Disposing it stops the reading. */
export class KeySource implements Disposable {
  readonly #source: ProviderConfig['jwks'][number]
  readonly #algorithms: ProviderConfig['algorithms']
  readonly #reading: KeyReading
  readonly #events: ProviderEvents
  readonly #onChange: () => void
  #timer: NodeJS.Timeout | null = null
  #text: string | null = null
  #keys: ReadKeys['keys'] | null = null
  #refreshing: Promise<void> | null = null
  #disposed = false

  constructor(
    source: ProviderConfig['jwks'][number],
    algorithms: ProviderConfig['algorithms'],
    reading: KeyReading,
    events: ProviderEvents,
    onChange: () => void,
  ) {
    this.#source = source
    this.#algorithms = algorithms
    this.#reading = reading
    this.#events = events
    this.#onChange = onChange
  }

  /** The keys of the source. Null if it could not be read yet. */
  get keys(): ReadKeys['keys'] | null {
    return this.#keys
  }

  /** Reads the source at once, unless that is being done. Never rejects. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const isRead = await this.#read()
    if (this.#disposed) return
    const { refreshInterval, refreshCooldown } = this.#reading.config
    const regular = this.#source.kind === 'file' ? Math.min(refreshInterval, FILE_INTERVAL) : refreshInterval
    const delay = isRead ? regular : Math.min(regular, refreshCooldown)
    this.#timer = setTimeout(() => void this.refresh(), delay).unref()
  }

  /** Reads the source. Returns false if that failed. */
  async #read(): Promise<boolean> {
    try {
      const text = await this.#load()
      const isNew = text !== this.#text
      if (isNew) {
        const { keys, unusable } = readKeySet(text, this.#algorithms)
        this.#text = text
        this.#keys = keys
        this.#onChange()
        this.#events.keysRead(this.#shown, keys.length, unusable)
      }
      // A file that has not changed is not counted as a refresh.
      if (isNew || this.#source.kind === 'url') this.#events.refreshed(true)
      return true
    } catch (error) {
      this.#events.refreshed(false)
      this.#events.keysNotRead(this.#shown, messageOf(error), this.#keys !== null)
      return false
    }
  }

  async #load(): Promise<string> {
    const { config, guard } = this.#reading
    if (this.#source.kind === 'file') return readWhole(this.#source.path)
    const { fetchKeySet } = await import('./fetch-key-set.ts')
    return fetchKeySet(new URL(this.#source.url), config.timeout, guard)
  }

  /** The source as the log shows it: without its query, which may hold a key. */
  get #shown(): string {
    return this.#source.kind === 'file' ? this.#source.path : (this.#source.url.split(/[?#]/, 1)[0] ?? '')
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}

async function readWhole(path: string): Promise<string> {
  await using file = await open(path)
  const { size } = await file.stat()
  if (size > MAX_FILE_SIZE) throw new KeySetError(`it is larger than ${MAX_FILE_SIZE} bytes`)
  return file.readFile('utf8')
}
