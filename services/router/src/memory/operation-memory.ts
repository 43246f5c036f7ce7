/**
 * The memory that all operation caches of a process share.
 *
 * Generations come and go and nobody knows how many are alive, so a limit for each would be no limit. Here
 * the operation that was used least recently makes room, in whichever generation it is.
 */
import { LRUCache } from 'lru-cache'

/** Something that is remembered, and can be forgotten. */
export type MemoryEntry = {
  /** Bytes, roughly; may change: `resized` is called then. */
  readonly size: number
  /** Number of plans that the entry holds. Absent if the entry is no operation. */
  readonly planCount?: number
  /** Called when the limit was reached: the cache drops the entry. */
  readonly forget: () => void
}

/** Keeps what is remembered within a number of bytes. */
export class OperationMemory {
  /** Entries in order of use, each with its number of plans. */
  #entries: LRUCache<MemoryEntry, number>
  #plans = 0
  /** Number of times that an operation was known, and that it had to be parsed and validated. */
  readonly lookups = { hits: 0, misses: 0 }

  constructor(maxBytes: number) {
    this.#entries = this.#opened(maxBytes)
  }

  #opened(maxBytes: number): LRUCache<MemoryEntry, number> {
    return new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: (_, { size }) => size,
      dispose: (plans, entry, reason) => {
        this.#plans -= plans
        if (reason === 'evict') entry.forget()
      },
    })
  }

  /** Changes the limit, and forgets the entries that were used least recently if they exceed the new one. */
  changeLimit(maxBytes: number): void {
    if (Math.max(maxBytes, 1) === this.#entries.maxSize) return
    // From the least recently used on, so that the order stays.
    const before = [...this.#entries.rkeys()]
    this.#entries = this.#opened(maxBytes)
    this.#plans = 0
    for (const entry of before) this.add(entry)
  }

  /** Remembers an entry. One that is larger than the whole memory is forgotten at once. */
  add(entry: MemoryEntry): void {
    const plans = entry.planCount ?? 0
    this.#entries.set(entry, plans)
    if (this.#entries.has(entry)) this.#plans += plans
    else entry.forget()
  }

  used(entry: MemoryEntry): void {
    this.#entries.get(entry)
  }

  /** Measures it again. */
  resized(entry: MemoryEntry): void {
    if (!this.#entries.delete(entry)) return
    this.add(entry)
  }

  remove(entry: MemoryEntry): void {
    this.#entries.delete(entry)
  }

  get entries(): number {
    return this.#entries.size
  }

  get plans(): number {
    return this.#plans
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }
}
