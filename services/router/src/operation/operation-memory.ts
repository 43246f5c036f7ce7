/**
 * What all operation caches of a process may hold together. Generations come and go and nobody knows how many are alive, so a
 * limit for each would be no limit: here the operation used least recently makes room, in whichever generation it is.
 */
import { LRUCache } from 'lru-cache'

/** Something that is remembered, and can be forgotten. */
export type Remembered = {
  /** Bytes, roughly; may change: `resized` is called then. */
  readonly size: number
  /** The limit was reached: its cache lets go of it. */
  readonly forget: () => void
}

export class OperationMemory {
  readonly #entries: LRUCache<Remembered, true>

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: (_, { size }) => size,
      dispose: (_, entry, reason) => {
        if (reason === 'evict') entry.forget()
      },
    })
  }

  /** What is larger than everything together is forgotten at once. */
  add(entry: Remembered): void {
    this.#entries.set(entry, true)
    if (!this.#entries.has(entry)) entry.forget()
  }

  used(entry: Remembered): void {
    this.#entries.get(entry)
  }

  /** Measures it again. */
  resized(entry: Remembered): void {
    if (!this.#entries.delete(entry)) return
    this.add(entry)
  }

  remove(entry: Remembered): void {
    this.#entries.delete(entry)
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }
}
