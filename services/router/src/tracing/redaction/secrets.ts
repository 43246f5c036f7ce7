/** The values that were hidden somewhere in a trace, to be hidden everywhere in it. */
import { SecretFinder } from './secret-finder.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'

/** Shorter ones occur by accident. In characters. */
const SHORTEST = 8
/** Bytes of all secrets of one request; the tables to find them take about thirty times as much. */
const MAX_TOTAL = 1 << 20

export class Secrets {
  readonly #values = new Set<string>()
  #total = 0
  #full = false
  #finder: SecretFinder | null = null

  add(value: string): void {
    if (this.#full || value.length < SHORTEST || this.#values.has(value)) return
    if (value === REDACTED || lengthOf(value) < SHORTEST) return
    this.#total += Buffer.byteLength(value)
    this.#full = this.#total > MAX_TOTAL
    if (this.#full) this.#values.clear()
    else this.#values.add(value)
    this.#finder = null
  }

  has(value: string): boolean {
    return value.length >= SHORTEST && (this.#full || this.#values.has(value))
  }

  /**
   * Where they are in a text. When there are too many to be looked for, nothing is known to be free of them: all text that
   * could hold one is hidden.
   */
  find(text: string): readonly HiddenSpan[] {
    if (text.length < SHORTEST || text === REDACTED) return []
    if (this.#full) return [{ start: 0, end: text.length, shown: REDACTED, secrets: [] }]
    if (this.#values.size === 0) return []
    this.#finder ??= new SecretFinder(this.#values)
    return this.#finder.find(text)
  }
}

/** In characters, of what is not blank: spaces alone are the indentation of each document. Enough of it is counted. */
function lengthOf(value: string): number {
  return Array.from(value.trim().slice(0, 2 * SHORTEST)).length
}
