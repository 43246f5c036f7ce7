/**
 * Tells of most JSON texts that there is nothing in them to be hidden where it stands: no member with a sensitive name, no
 * URL with a user, a password or a query string, and no JSON in a string with such a member. Those need not be read. And where
 * something may be base64, which is the same for all secrets.
 *
 * It goes over the bytes once. Names that were found to be innocent are kept in a table, in which the next ones are looked
 * up byte by byte: almost all texts of a graph have the same names.
 */
import { spansOfJsonIn } from './json-text.ts'
import { ORDINARY_BYTES, runsOf, SHORTEST_BASE64, suspiciousRuns } from './base64-runs.ts'
import { Scratch } from './scratch.ts'
import type { NameTest } from './sensitive-names.ts'
import { spansOfUrlsIn } from './urls.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
/** The space is the last of the blanks. */
const LAST_BLANK = 0x20
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
/** Deeper texts are left to who reads them. */
const MAX_DEPTH = 300
/** What a URL must have for anything of it to be hidden. */
const TELLING_URL = /:\/\/[^\s"'<>`{}|^\\]*[?@]/

export type Glance = {
  /** Nothing is to be hidden where it stands. */
  readonly innocent: boolean
  /** What may be base64 of ordinary text. Only known of what is innocent. */
  readonly runs: readonly string[]
}

export class JsonGlance {
  readonly #isSensitive: NameTest
  readonly #names = new NameTable()
  readonly #scratch = new Scratch()
  #runs: string[] = []

  constructor(isSensitive: NameTest) {
    this.#isSensitive = isSensitive
  }

  at(text: string): Glance {
    if (TELLING_URL.test(text)) return GUILTY
    const length = this.#scratch.write(text)
    const { bytes } = this.#scratch
    bytes[length] = QUOTE
    this.#runs = []
    return this.#isInnocent(bytes, length) ? { innocent: true, runs: this.#runs } : GUILTY
  }

  #isInnocent(bytes: Buffer, length: number): boolean {
    let depth = 0
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.#string(bytes, at + 1, length)
        if (at === -1) return false
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (++depth > MAX_DEPTH) return false
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--
    }
    return true
  }

  /** The place of the closing quote; -1: not innocent. There is a quote behind the text, so each loop has an end. */
  #string(bytes: Buffer, start: number, length: number): number {
    const { next } = this.#names
    let state = NameTable.ROOT
    let at = start
    let byte = bytes[at] ?? QUOTE
    while (state !== 0 && byte !== QUOTE && byte !== BACKSLASH) {
      state = next[(state << 8) | byte] ?? 0
      byte = bytes[++at] ?? QUOTE
    }
    while (byte !== QUOTE && byte !== BACKSLASH) byte = bytes[++at] ?? QUOTE
    if (byte === BACKSLASH) return this.#escapedString(bytes, start, length)
    if (!isValue(bytes, at + 1, length) && !this.#names.has(state)) {
      if (this.#isSensitive(bytes.toString('utf8', start, at))) return -1
      this.#names.add(bytes.subarray(start, at))
    }
    if (at - start >= SHORTEST_BASE64) this.#runs.push(...suspiciousRuns(bytes, start, at, ORDINARY_BYTES))
    return at
  }

  #escapedString(bytes: Buffer, start: number, length: number): number {
    let end = start
    while (end < length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1
    const text = String(JSON.parse(`"${bytes.toString('utf8', start, end)}"`))
    const innocent = isValue(bytes, end + 1, length) ? this.#isInnocentText(text) : !this.#isSensitive(text)
    if (!innocent) return -1
    this.#runs.push(...runsOf(text, ORDINARY_BYTES))
    return end
  }

  #isInnocentText(text: string): boolean {
    const { length } = spansOfUrlsIn(text, this.#isSensitive)
    return length === 0 && spansOfJsonIn(text, this.#isSensitive).length === 0
  }
}

const GUILTY: Glance = { innocent: false, runs: [] }

/** Whether the string that ended there is no name. */
function isValue(bytes: Buffer, after: number, length: number): boolean {
  let at = after
  while (at < length && (bytes[at] ?? 0) <= LAST_BLANK) at++
  return at >= length || bytes[at] !== COLON
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
