/**
 * Tells of most JSON texts that there is nothing in them to be hidden where it stands: no member with a sensitive name, no
 * URL with a user, a password or a query string, and no JSON in a string with such a member. Those need not be read.
 *
 * It goes over the bytes once. Names that were found to be innocent are kept in a table, in which the next ones are looked
 * up byte by byte: almost all texts of a graph have the same names.
 */
import { spansOfJsonIn } from './json-text.ts'
import type { NameTest } from './sensitive-names.ts'
import { spansOfUrlsIn } from './urls.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const LONGEST_SPACE = 0x20
/** Deeper texts are left to who reads them. */
const MAX_DEPTH = 300
/** What a URL must have for anything of it to be hidden. */
const TELLING_URL = /:\/\/[^\s"'<>`{}|^\\]*[?@]/

export class InnocentJson {
  readonly #isSensitive: NameTest
  readonly #names = new NameTable()
  #bytes = Buffer.alloc(1 << 14)

  constructor(isSensitive: NameTest) {
    this.#isSensitive = isSensitive
  }

  /** false: it has to be read to know. */
  test(text: string): boolean {
    if (TELLING_URL.test(text)) return false
    if (text.length * 3 > this.#bytes.length) this.#bytes = Buffer.alloc(text.length * 3)
    const bytes = this.#bytes
    const length = bytes.write(text)
    const innocent = this.#areInnocent(bytes, length)
    if (length > MAX_KEPT) this.#bytes = Buffer.alloc(1 << 14)
    return innocent
  }

  #areInnocent(bytes: Buffer, length: number): boolean {
    let depth = 0
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.#string(bytes, at + 1)
        if (at === -1) return false
      } else if (byte === 0x7b || byte === 0x5b) {
        if (++depth > MAX_DEPTH) return false
      } else if (byte === 0x7d || byte === 0x5d) depth--
    }
    return true
  }

  /** The place of the closing quote, or of the colon after it; -1: not innocent. */
  #string(bytes: Buffer, start: number): number {
    const { next } = this.#names
    let state = NameTable.ROOT
    let escaped = false
    let at = start
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (byte === undefined) return -1
      if (byte === BACKSLASH) {
        escaped = true
        at++
      }
      state = next[(state << 8) | byte] ?? 0
    }
    let after = at + 1
    while ((bytes[after] ?? COLON) <= LONGEST_SPACE) after++
    if (bytes[after] !== COLON) return !escaped || this.#isInnocentText(bytes, start, at) ? at : -1
    return this.#names.has(state) || this.#isInnocentName(bytes, start, at) ? after : -1
  }

  #isInnocentName(bytes: Buffer, start: number, end: number): boolean {
    const written = bytes.toString('utf8', start, end)
    const name = unescaped(written)
    if (this.#isSensitive(name)) return false
    if (name === written) this.#names.add(bytes.subarray(start, end))
    return true
  }

  #isInnocentText(bytes: Buffer, start: number, end: number): boolean {
    const text = unescaped(bytes.toString('utf8', start, end))
    const { length } = spansOfUrlsIn(text, this.#isSensitive)
    return length === 0 && spansOfJsonIn(text, this.#isSensitive).length === 0
  }
}

/** More is not kept for the next text. */
const MAX_KEPT = 1 << 18

function unescaped(written: string): string {
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
}

/** A tree of names in a table: from a state and a byte to the next state. State 0 has no way out. */
class NameTable {
  static readonly ROOT = 1
  /** Names come from subgraphs: what is remembered of them must have an end. */
  static readonly #MAX_STATES = 2048
  readonly next = new Uint16Array(NameTable.#MAX_STATES << 8)
  readonly #ends = new Uint8Array(NameTable.#MAX_STATES)
  #states = 2

  has(state: number): boolean {
    return this.#ends[state] === 1
  }

  add(name: Uint8Array): void {
    if (name.length + this.#states > NameTable.#MAX_STATES) this.#clear()
    if (name.length + this.#states > NameTable.#MAX_STATES) return
    let state = NameTable.ROOT
    for (const byte of name) {
      const edge = (state << 8) | byte
      if (this.next[edge] === 0) this.next[edge] = this.#states++
      state = this.next[edge] ?? 0
    }
    this.#ends[state] = 1
  }

  #clear(): void {
    this.next.fill(0)
    this.#ends.fill(0)
    this.#states = 2
  }
}
