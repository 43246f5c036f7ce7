/** The values that a request, or what came of it, calls secret: collected first, then looked for everywhere. */
import type { Meter, Sliced } from '../sliced.ts'
import { type HiddenSpan, LEFT_OUT, REDACTED } from './hidden-span.ts'
import { SecretHints } from './secret-hints.ts'
import { SecretSearch, SHORTEST_SECRET } from './secret-search.ts'

/** Of all secrets of one request, in bytes of UTF-8. To find them takes about twenty times as much memory. */
const MAX_BYTES = 1 << 20
const HALF_OF_PAIR = /[\ud800-\udfff]/

export class Secrets {
  readonly #meter: Meter
  readonly #values = new Set<string>()
  /** undefined: not asked for since a secret was added. null: there are none. */
  #hints: SecretHints | null | undefined
  /** Built for the first text that a glance does not do for: most requests have none. */
  #search: SecretSearch | null = null
  #bytes = 0
  #tooMany = false
  #anyNumber = false

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Nothing is known to be free of them: all texts that could hold one have to be left out. */
  get tooMany(): boolean {
    return this.#tooMany
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
    this.#hints = undefined
    this.#search = null
    this.#anyNumber ||= String(Number(value)) === value
  }

  giveUp(): void {
    this.#tooMany = true
    this.#values.clear()
    this.#hints = undefined
    this.#search = null
  }

  /** Whether none is in a text, as far as a glance tells. Its cost is that of a native search of a short text. */
  areAbsentFrom(text: string): boolean {
    if (this.#values.size === 0) return true
    if (this.#hints === undefined) this.#hints = SecretHints.of(this.#values)
    return this.#hints !== null && this.#hints.areAbsentFrom(text)
  }

  /** Where they are in a text. */
  *find(text: string): Sliced<readonly HiddenSpan[]> {
    if (this.areAbsentFrom(text)) return []
    return yield* (yield* this.#searching()).find(text)
  }

  /** Whether one is in a JSON text without escapes and percent codes, as a whole or in its strings. */
  *areIn(json: string): Sliced<boolean> {
    return !this.areAbsentFrom(json) && (yield* (yield* this.#searching()).isIn(json))
  }

  *#searching(): Sliced<SecretSearch> {
    return (this.#search ??= yield* SecretSearch.of(this.#values, this.#meter))
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
