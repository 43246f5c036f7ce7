/**
 * Remembers of each record of the registry's log to which namespace it belongs, and whether it was applied.
 *
 * So a page of the log finds its records without reading those that it leaves out, in both directions. A
 * record takes four bytes: a million records take 4 MB.
 */

const CHUNK = 65_536

/** A record that a walk came to. The namespace is null for records about keys. */
export type IndexedRecord = {
  readonly sequence: number
  readonly namespace: string | null
  /** False if the record lost a race or repeats a command, and so did nothing. */
  readonly isApplied: boolean
}

export type IndexWalk = {
  /** The first sequence that is looked at. */
  readonly from: number
  /** The last one, which is smaller than `from` in a walk back. */
  readonly to: number
  readonly isWanted: (namespace: string | null) => boolean
  /** Takes a record that is wanted. Returns false if the walk ends before it. */
  readonly take: (record: IndexedRecord) => boolean
}

export class RecordIndex {
  readonly #namespaces: (string | null)[] = []
  readonly #ids = new Map<string | null, number>()
  /** Chunks of entries by their number. An entry is 0 for no record, else twice the id, plus 1 if applied. */
  readonly #chunks = new Map<number, Uint32Array>()
  #end = 0

  /** The last sequence that was noted; 0 if there is none. */
  get end(): number {
    return this.#end
  }

  /** Notes a record. It has to be called in the order of the log. */
  note({ sequence, namespace, isApplied }: IndexedRecord): void {
    const number = Math.floor(sequence / CHUNK)
    const chunk = this.#chunks.get(number) ?? new Uint32Array(CHUNK)
    this.#chunks.set(number, chunk)
    chunk[sequence % CHUNK] = 2 * this.#idOf(namespace) + (isApplied ? 1 : 0)
    this.#end = sequence
  }

  /** Calls `take` for wanted records, in order. Returns the last sequence that was looked at. */
  walk({ from, to, isWanted, take }: IndexWalk): number {
    const wanted = [false, ...this.#namespaces.map(isWanted)]
    const step = from <= to ? 1 : -1
    let sequence = from
    while (step * (to - sequence) >= 0) {
      const number = Math.floor(sequence / CHUNK)
      const chunk = this.#chunks.get(number)
      const edge = step === 1 ? (number + 1) * CHUNK - 1 : number * CHUNK
      const until = step === 1 ? Math.min(to, edge) : Math.max(to, edge)
      if (chunk === undefined) sequence = until + step
      // Chunk by chunk, since a walk has up to a million steps: 3 ms instead of 25.
      for (; step * (until - sequence) >= 0; sequence += step) {
        const entry = chunk?.[sequence % CHUNK] ?? 0
        const id = entry >>> 1
        if (wanted[id] !== true) continue
        const namespace = this.#namespaces[id - 1] ?? null
        if (!take({ sequence, namespace, isApplied: entry % 2 === 1 })) return sequence - step
      }
    }
    return to
  }

  #idOf(namespace: string | null): number {
    const known = this.#ids.get(namespace)
    if (known !== undefined) return known
    const id = this.#namespaces.push(namespace)
    this.#ids.set(namespace, id)
    return id
  }
}
