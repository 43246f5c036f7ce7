/** How much CPU compositions are expected to take, by how much earlier ones took. */

/** The facts about a composition that tell how long it takes. */
export type Expected = {
  /** Names what is composed, always in the same way. */
  readonly subject: string
  /** The size of all its schemas. */
  readonly bytes: number
}

type Took = { readonly cold: number | null; readonly warm: number | null }

/**
 * CPU of a composition by the size of its schemas, as long as it was never done: a rough measure is enough.
 */
const MS_PER_KIB = 1.5
/** The part of it that is expected where the thread remembers the graph. */
const WARM_SHARE = 0.05
const LEAST_MS = 10
const MOST_REMEMBERED = 10_000

/** Remembers the CPU milliseconds of the last composition of each subject, with and without a memory. */
export class Expectations {
  readonly #took = new Map<string, Took>()

  /** CPU milliseconds without a memory of the graph. */
  cold({ subject, bytes }: Expected): number {
    return Math.max(LEAST_MS, this.#took.get(subject)?.cold ?? (bytes / 1024) * MS_PER_KIB)
  }

  /** The same with a memory of the graph. */
  warm(one: Expected): number {
    return this.#took.get(one.subject)?.warm ?? Math.max(LEAST_MS, this.cold(one) * WARM_SHARE)
  }

  note({ subject }: Expected, kind: keyof Took, cpuMs: number): void {
    const known = this.#took.get(subject) ?? { cold: null, warm: null }
    this.#took.delete(subject)
    this.#took.set(subject, { ...known, [kind]: cpuMs })
    if (this.#took.size <= MOST_REMEMBERED) return
    for (const oldest of this.#took.keys()) {
      this.#took.delete(oldest)
      return
    }
  }
}
