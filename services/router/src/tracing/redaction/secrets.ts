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
  #anyNumber = false
  #finder: SecretFinder | null = null

  add(value: string): void {
    if (this.#full || value.length < SHORTEST || this.#values.has(value)) return
    if (value === REDACTED || lengthOf(value) < SHORTEST) return
    this.#total += Buffer.byteLength(value)
    this.#full = this.#total > MAX_TOTAL
    if (this.#full) this.#values.clear()
    else this.#values.add(value)
    this.#anyNumber ||= String(Number(value)) === value
    this.#finder = null
  }

  has(value: string): boolean {
    return value.length >= SHORTEST && (this.#full || this.#values.has(value))
  }

  /** Whether one of them may be in a name or a value of this JSON. `ordinaryRuns`: what in it may be base64 of text. */
  mayBeIn(json: string, ordinaryRuns: readonly string[]): boolean {
    if (this.#full) return true
    if (this.#values.size === 0) return false
    if (this.#found(json.includes('\\') ? unescaped(json) : json, ordinaryRuns)) return true
    if (!this.#anyNumber) return false
    // A number may be written in many ways.
    return (json.match(NUMBER) ?? []).some((number) => this.has(String(Number(number))))
  }

  #found(text: string, ordinaryRuns: readonly string[]): boolean {
    this.#finder ??= new SecretFinder(this.#values)
    return this.#finder.isIn(text, ordinaryRuns)
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

/** What a JSON text says where it has escapes, left as JSON otherwise. */
function unescaped(json: string): string {
  return json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code?: string, letter = '') =>
    code === undefined ? (MEANT[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const MEANT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const HALF_OF_PAIR = /[\ud800-\udfff]/
const NUMBER = /-?\d[\d.eE+-]*/g

/** In characters, of what is not blank: spaces alone are the indentation of each document. Enough of it is counted. */
function lengthOf(value: string): number {
  const visible = value.trim().slice(0, 2 * SHORTEST)
  return HALF_OF_PAIR.test(visible) ? Array.from(visible).length : visible.length
}
