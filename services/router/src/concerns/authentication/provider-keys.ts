/** Keeps the keys of one provider, from all of its sets, and decides when they are looked for again. */
import type { ProviderConfig } from './settings.ts'
import { isSecretKeyAlgorithm } from './settings.ts'
import type { ProviderEvents } from './events.ts'
import { KeySet } from './key-set.ts'
import { type KeyReading, KeySource } from './key-source.ts'

/** The keys of one provider. Disposing it stops reading them. */
export class ProviderKeys implements Disposable {
  readonly #sources: readonly KeySource[]
  readonly #isSecret: boolean
  readonly #cooldown: number
  readonly #now: () => number
  #set: KeySet
  #epoch = 0
  /** The time when keys were last looked for because of a token. */
  #looked = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | null = null

  constructor(
    { jwks, algorithms }: Pick<ProviderConfig, 'jwks' | 'algorithms'>,
    reading: KeyReading,
    events: ProviderEvents,
    now: () => number,
  ) {
    this.#sources = jwks.map(
      (source) => new KeySource(source, algorithms, reading, events, () => this.#changed()),
    )
    this.#isSecret = algorithms.some(isSecretKeyAlgorithm)
    this.#cooldown = reading.config.refreshCooldown
    this.#now = now
    this.#set = new KeySet([], this.#isSecret)
  }

  get set(): KeySet {
    return this.#set
  }

  /**
   * A number that changes with the keys. Tokens that were verified in another epoch have to be verified
   * again.
   */
  get epoch(): number {
    return this.#epoch
  }

  /** True if each set was read at least once. Otherwise a key that is not known may be good. */
  get isComplete(): boolean {
    return this.#sources.every(({ keys }) => keys !== null)
  }

  /** Reads all sets. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.refresh()))
  }

  /**
   * Reads all sets because of a token whose key is not known: its issuer may have a new one. Returns null if
   * that was done a moment ago, since whoever makes up tokens can make up names of keys, too.
   */
  lookForNewer(): Promise<void> | null {
    if (this.#looking !== null) return this.#looking
    if (this.#now() - this.#looked < this.#cooldown) return null
    this.#looked = this.#now()
    this.#looking = this.refresh().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  #changed(): void {
    this.#set = new KeySet(
      this.#sources.flatMap(({ keys }) => keys ?? []),
      this.#isSecret,
    )
    this.#epoch++
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source[Symbol.dispose]()
  }
}
