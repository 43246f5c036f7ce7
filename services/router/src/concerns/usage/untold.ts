/**
 * The documents and names in variables that are still to be told, oldest first. Each document is told once
 * for each composition, and again after six hours of use.
 */
import type { RouterUsage } from '@switchyard/contracts'

export type UntoldDocument = RouterUsage['documents'][number]
export type UntoldValues = RouterUsage['values'][number]

/** Milliseconds after which the document of an operation that is in use is told again. */
export const AGAIN_AFTER_MS = 6 * 60 * 60_000
/** Documents of which is known when they were told. Others are told again. */
const MOST_REMEMBERED = 10_000
/** Characters of JSON that wait. */
const MAX_WAITING = 2 * 1024 * 1024

type Waiting = {
  readonly size: number
  readonly document?: UntoldDocument
  readonly values?: UntoldValues
}

/** Keeps what is to be told until there is room for it. */
export class Untold {
  /** Unix milliseconds by composition and operation. */
  readonly #toldAt = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting>()
  #size = 0
  #nextValues = 0

  get count(): number {
    return this.#waiting.size
  }

  /** Whether the document of an operation is to be told, and does not wait for it. */
  isDue(artifact: string, hash: string, now: number): boolean {
    const key = `${artifact} ${hash}`
    const at = this.#toldAt.get(key)
    return (at === undefined || now - at >= AGAIN_AFTER_MS) && !this.#waiting.has(key)
  }

  /** False if too much waits. */
  addDocument(document: UntoldDocument): boolean {
    return this.#add(`${document.artifact} ${document.hash}`, { document, size: sizeOf(document) })
  }

  /** False if too much waits. */
  addValues(values: UntoldValues): boolean {
    return this.#add(`values ${this.#nextValues++}`, { values, size: sizeOf(values) })
  }

  /** Takes what fits into so many bytes, and notes that it is told. */
  take(bytes: number, now: number): Pick<RouterUsage, 'documents' | 'values'> {
    const documents: UntoldDocument[] = []
    const values: UntoldValues[] = []
    let left = bytes
    for (const [key, waiting] of this.#waiting) {
      if (waiting.size > left) continue
      left -= waiting.size
      this.#size -= waiting.size
      this.#waiting.delete(key)
      if (waiting.values !== undefined) values.push(waiting.values)
      if (waiting.document === undefined) continue
      documents.push(waiting.document)
      this.#note(key, now)
    }
    return { documents, values }
  }

  #add(key: string, waiting: Waiting): boolean {
    if (this.#size + waiting.size > MAX_WAITING) return false
    this.#size += waiting.size
    this.#waiting.set(key, waiting)
    return true
  }

  #note(key: string, now: number): void {
    this.#toldAt.delete(key)
    this.#toldAt.set(key, now)
    const [oldest] = this.#toldAt.keys()
    if (this.#toldAt.size > MOST_REMEMBERED && oldest !== undefined) this.#toldAt.delete(oldest)
  }
}

/** The bytes of a member of a list. */
export function sizeOf(member: object): number {
  return Buffer.byteLength(JSON.stringify(member)) + 1
}
