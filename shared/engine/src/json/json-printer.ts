/**
 * `JSON.stringify` for large values, in slices, as bytes of UTF-8. What is small within a large value is
 * still written by `JSON.stringify`, several values at a time, which is many times as fast as code that looks
 * at each character.
 */
import { isJsonObject, type JsonObject } from './json-object.ts'
import type { WorkBudget } from '../work/budget.ts'
import type { SlicedWork } from '../work/slices.ts'
import { ExactNumber } from './exact-number.ts'
import { JsonText } from './json-text.ts'

/** Characters that take a step of the budget. */
export const PRINTED_PER_STEP = 16

/** Characters that are written in one go, about. */
const SMALL = 16_384
/** Characters that become bytes together, as one piece of the answer. */
const PIECE = 65_536
/**
 * Characters that a value other than a string is counted with, including the comma after it, and those that a
 * string or a member takes besides its text.
 */
const SCALAR = 4
/**
 * Number of members above which an object ends the slice: listing the names alone takes milliseconds, and
 * `Object.keys` cannot be interrupted.
 */
const MANY_MEMBERS = 10_000

/** A text that is replaced in strings by another one with the same meaning. */
export type JsonEscape = { readonly text: string; readonly as: string }

/** A list or an object of which a part is written. */
type Open = { next: number; isEmpty: boolean } & (
  | { readonly list: readonly unknown[] }
  | { readonly list: null; readonly object: JsonObject; readonly keys: readonly string[] }
)

/** A text that is too long for one piece. With `isJson` it is written as it is, otherwise as a string. */
type LongText = { readonly text: string; readonly isJson: boolean; at: number }

/**
 * Prints values that `JSON.parse` makes, `undefined`, `ExactNumber` and `JsonText`. The bytes are those of
 * `JSON.stringify`; a `JsonText` is printed as the value whose text it is.
 */
export class JsonPrinter implements SlicedWork {
  /** The bytes that were written so far, in order. */
  readonly pieces: Uint8Array[] = []
  /** Bytes in `pieces`. */
  size = 0
  readonly #budget: WorkBudget
  readonly #escape: JsonEscape | null
  readonly #encoder = new TextEncoder()
  readonly #open: Open[] = []
  /**
   * Lists and objects that are known to be larger than `SMALL`, so that they are not weighed at each level
   * around them.
   */
  readonly #large = new Set<object>()
  #text = ''
  #long: LongText | null = null
  /** Characters that were written, about. */
  #count = 0
  /** The characters that the budget was already asked for. */
  #counted = 0
  /** Something was done that takes as long as a slice. */
  #isSliceOver = false

  /** `budget` takes a step for sixteen characters. */
  constructor(value: unknown, budget: WorkBudget, escape: JsonEscape | null = null) {
    this.#budget = budget
    this.#escape = escape
    this.#put(value)
  }

  proceed(steps: number): boolean {
    const end = this.#counted + steps * PRINTED_PER_STEP
    this.#isSliceOver = false
    let isDone = false
    while (!isDone && this.#count < end && !this.#isSliceOver) {
      isDone = !this.#goOn()
      if (isDone || this.#text.length >= PIECE) this.#flush()
    }
    this.#budget.step((this.#count - this.#counted) / PRINTED_PER_STEP)
    this.#counted = this.#count
    return isDone
  }

  /** Writes the next value or text. Returns false if everything is written. */
  #goOn(): boolean {
    if (this.#long !== null) {
      this.#continueText(this.#long)
      return true
    }
    const open = this.#open.at(-1)
    if (open === undefined) return false
    if (open.list === null) this.#member(open, open.object, open.keys)
    else this.#items(open, open.list)
    return true
  }

  #put(value: unknown): void {
    if (typeof value === 'string' && value.length > SMALL) this.#begin(value, false)
    else if (value instanceof JsonText) this.#begin(value.text, true)
    else if (value instanceof ExactNumber) this.#write(value.text)
    else {
      const weight = this.#weightOf(value)
      if (weight <= SMALL) {
        this.#count += weight
        this.#text += JSON.stringify(value) ?? 'null'
      } else if (Array.isArray(value)) this.#enter('[', { list: value, next: 0, isEmpty: true })
      else if (isJsonObject(value))
        this.#enter('{', { list: null, object: value, keys: Object.keys(value), next: 0, isEmpty: true })
    }
  }

  #write(text: string): void {
    this.#count += text.length
    this.#text += text
  }

  #begin(text: string, isJson: boolean): void {
    if (!isJson) this.#text += '"'
    this.#long = { text, isJson, at: 0 }
  }

  #enter(bracket: '[' | '{', open: Open): void {
    this.#write(bracket)
    this.#open.push(open)
    if (open.list === null && open.keys.length > MANY_MEMBERS) this.#isSliceOver = true
  }

  #leave(bracket: ']' | '}'): void {
    this.#write(bracket)
    this.#open.pop()
  }

  #member(open: Open, object: JsonObject, keys: readonly string[]): void {
    const key = keys[open.next++]
    if (key === undefined) return this.#leave('}')
    const value = object[key]
    this.#count += SCALAR
    if (value === undefined) return
    this.#separate(open)
    this.#write(`${JSON.stringify(key)}:`)
    this.#put(value)
  }

  /** Writes as many items as are small together, or one that is not small. */
  #items(open: Open, list: readonly unknown[]): void {
    const first = open.next
    let room = SMALL
    while (open.next < list.length && room > 0) {
      const rest = this.#roomAfter(list[open.next], room)
      if (rest < 0) break
      room = rest
      open.next++
    }
    if (open.next > first) {
      this.#count += SMALL - room
      this.#separate(open)
      this.#text += JSON.stringify(list.slice(first, open.next)).slice(1, -1)
    } else if (first < list.length) {
      this.#separate(open)
      this.#put(list[open.next++])
    } else this.#leave(']')
  }

  #separate(open: Open): void {
    if (!open.isEmpty) this.#text += ','
    open.isEmpty = false
  }

  /** Characters of it, about; more than `SMALL` if it is larger. */
  #weightOf(value: unknown): number {
    return SMALL - this.#roomAfter(value, SMALL)
  }

  /** Returns how many of `room` characters are left after the value; negative if the value takes more. */
  #roomAfter(value: unknown, room: number): number {
    if (typeof value === 'string') return room - SCALAR - value.length
    if (typeof value !== 'object' || value === null) return room - SCALAR
    if (value instanceof JsonText || this.#large.has(value)) return -1
    let left = room - SCALAR
    if (Array.isArray(value)) {
      for (const item of value) {
        left = this.#roomAfter(item, left)
        if (left < 0) break
      }
    } else if (isJsonObject(value)) left = this.#roomAfterMembers(value, left)
    else if (value instanceof ExactNumber) return left - value.text.length
    if (left < 0 && room - left > SMALL / 2) this.#large.add(value)
    return left
  }

  #roomAfterMembers(object: JsonObject, room: number): number {
    let left = room
    let keys = 0
    for (const key in object) {
      keys++
      left = this.#roomAfter(object[key], left - key.length)
      if (left < 0) break
    }
    return left
  }

  #continueText(long: LongText): void {
    const { text, isJson, at } = long
    const end = this.#endOfPiece(text, at + SMALL)
    const piece = text.slice(at, end)
    this.#count += piece.length
    this.#text += isJson ? piece : JSON.stringify(piece).slice(1, -1)
    long.at = end
    if (end < text.length) return
    if (!isJson) this.#text += '"'
    this.#long = null
  }

  /** Not within a character that takes two, nor within what is to be escaped. */
  #endOfPiece(text: string, limit: number): number {
    if (limit >= text.length) return text.length
    if (this.#escape !== null) {
      const { length } = this.#escape.text
      const found = text.slice(limit - length, limit + length).indexOf(this.#escape.text)
      if (found >= 0) return limit - length + found
    }
    return isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit
  }

  #flush(): void {
    if (this.#text === '') return
    const escape = this.#escape
    const text = escape === null ? this.#text : this.#text.replaceAll(escape.text, escape.as)
    const piece = this.#encoder.encode(text)
    this.#text = ''
    this.size += piece.length
    this.pieces.push(piece)
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff
}
