/**
 * Bounds the memory that generated code takes in the whole process: clients choose the operations for which
 * code is generated. Beyond the limit the code of plans is let go that were not executed lately; if they are
 * executed again and again, it is generated anew.
 */

/** Code that can be let go. */
export interface DroppableCode {
  /** True if the code was used since room was last made for other code. The user of the code sets it. */
  wasUsed: boolean
  /** Lets go of the code. */
  drop(): void
}

/** Knows all code that is there, without keeping alive what nobody uses any more. */
export class CodeMemory {
  readonly #limit: number
  /** Codes from the oldest to the youngest. */
  #kept: { readonly code: WeakRef<DroppableCode>; readonly size: number }[] = []
  #size = 0

  /**
   * `limit` is the number of characters of code. Each takes about two bytes, and more once it is optimised.
   */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Characters of all code that is kept, and of some that nobody uses any more. */
  get size(): number {
    return this.#size
  }

  add(code: DroppableCode, size: number): void {
    this.#kept.push({ code: new WeakRef(code), size })
    this.#size += size
    if (this.#size > this.#limit) this.#makeRoom()
  }

  /**
   * Makes room: goes through all kept codes once, and drops those that were not used since the last time. If
   * that was not enough, drops the rest from the oldest on. Makes more room than is needed, so that this is
   * rare.
   */
  #makeRoom(): void {
    const room = this.#limit / 2
    for (const isKept of [(code: DroppableCode) => code.wasUsed, () => false]) {
      this.#kept = this.#kept.filter(({ code, size }) => {
        const there = code.deref()
        if (there !== undefined && (this.#size <= room || isKept(there))) return true
        there?.drop()
        this.#size -= size
        return false
      })
      if (this.#size <= room) break
    }
    for (const { code } of this.#kept) {
      const there = code.deref()
      if (there !== undefined) there.wasUsed = false
    }
  }
}
