/** The values that a request, or what came of it, calls secret: collected first, then looked for everywhere. */
import { LEFT_OUT, REDACTED } from './hidden-span.ts'

/** Shorter ones occur by accident. In characters. */
export const SHORTEST_SECRET = 8
/** Of all secrets of one request, in bytes of UTF-8. To find them takes about twenty times as much memory. */
const MAX_BYTES = 1 << 20
const HALF_OF_PAIR = /[\ud800-\udfff]/

export class Secrets {
  readonly #values = new Set<string>()
  #bytes = 0
  #tooMany = false
  #anyNumber = false

  /** Nothing is known to be free of them: all texts that could hold one have to be left out. */
  get tooMany(): boolean {
    return this.#tooMany
  }

  get values(): ReadonlySet<string> {
    return this.#values
  }

  get anyNumber(): boolean {
    return this.#anyNumber || this.#tooMany
  }

  add(value: string): void {
    if (this.#tooMany || value.length < SHORTEST_SECRET || this.#values.has(value)) return
    if (value === REDACTED || value === LEFT_OUT || visibleLength(value) < SHORTEST_SECRET) return
    this.#bytes += Buffer.byteLength(value)
    if (this.#bytes > MAX_BYTES) return this.giveUp()
    this.#values.add(value)
    this.#anyNumber ||= String(Number(value)) === value
  }

  giveUp(): void {
    this.#tooMany = true
    this.#values.clear()
  }

  /** Of a number as JSON writes it, in one of the ways to do so. */
  hasNumber(written: string): boolean {
    const value = String(Number(written))
    if (this.#tooMany) return value.length >= SHORTEST_SECRET || written.length >= SHORTEST_SECRET
    return this.#values.has(value) || this.#values.has(written)
  }
}

/** In characters, of what is not blank: spaces alone are the indentation of each document. Enough of it is counted. */
function visibleLength(value: string): number {
  const visible = value.trim().slice(0, 2 * SHORTEST_SECRET)
  return HALF_OF_PAIR.test(visible) ? Array.from(visible).length : visible.length
}
