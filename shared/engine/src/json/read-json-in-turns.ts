/**
 * `JSON.parse` for large texts, in slices. Five megabytes of JSON may take half a second to parse, by what is in them, and
 * `JSON.parse` cannot be interrupted. This takes two to four times as long for usual ones, but not in one go, and it stops at limits.
 */
import { write } from '../execution/json-object.ts'
import type { WorkBudget } from '../work/budget.ts'
import { inSlices, type SlicedWork, type Turns } from '../work/slices.ts'
import { exactNumber } from './exact-number.ts'
import { BACKSLASH, JsonStringReader, PIECE, unescaped } from './json-string-reader.ts'

/** `numbers` of more than 10,000 characters, objects of more than 250,000 `members`, and lists of more than 5,000,000 `items` could not be read in slices. */
export type JsonLimit = 'depth' | 'items' | 'members' | 'numbers'

export type JsonLimits = {
  /** Takes a step for each item and each member, at any level. */
  readonly budget: WorkBudget
  readonly maxDepth: number
  /** Makes what is thrown when one of the limits is reached. */
  readonly exceeded: (limit: JsonLimit) => Error
  /** Numbers that a double cannot hold become an `ExactNumber`. */
  readonly exactNumbers?: boolean
}

/** Rejects with a SyntaxError for what is no JSON. */
export async function readJsonInTurns(text: string, turns: Turns, limits: JsonLimits): Promise<unknown> {
  const reader = new JsonReader(text, limits)
  await inSlices(reader, turns)
  return reader.result
}

type Frame =
  | { readonly list: unknown[] }
  | { readonly object: Record<string, unknown>; key: string; size: number }

/** What may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

const TAB = 0x09
const NEW_LINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** No character: the text is over. */
const END = -1
/** No character: there is more white space than one step passes over. */
const PAUSE = -2

const WHITE_SPACE_PER_STEP = 64
const CHARACTERS_PER_STEP = 64

/** `Number` takes time for each digit. */
const MAX_NUMBER = 10_000
/** What an object or a list holds is moved to a larger place from time to time, all of it in one go. */
const MAX_MEMBERS = 250_000
const MAX_ITEMS = 5_000_000
/** Lists that were pushed to have room for more; a copy of a short one costs less than the room. */
const SHORT_LIST = 12

class JsonReader implements SlicedWork {
  result: unknown
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #frames: Frame[] = []
  #steps = 0
  #at = 0
  #expected: Expected = 'value'
  /** A string that is too long for one step. */
  #long: JsonStringReader | null = null

  constructor(text: string, limits: JsonLimits) {
    this.#text = text
    this.#limits = limits
  }

  proceed(steps: number): boolean {
    const end = this.#steps + steps
    while (this.#steps < end) {
      if (this.#long !== null) {
        this.#continueString(this.#long)
        continue
      }
      const code = this.#next()
      if (code === END) {
        if (this.#expected !== 'nothing') throw this.#wrong()
        return true
      }
      if (code !== PAUSE) this.#take(code)
    }
    return false
  }

  #take(code: number): void {
    switch (this.#expected) {
      case 'value or ]':
        return code === CLOSE_LIST ? this.#close() : this.#value(code)
      case 'value':
        return this.#value(code)
      case 'key or }':
        return code === CLOSE_OBJECT ? this.#close() : this.#key(code)
      case 'key':
        return this.#key(code)
      case ':':
        if (code !== COLON) throw this.#wrong()
        this.#at++
        this.#expected = 'value'
        return
      case ', or end':
        return this.#separator(code)
      case 'nothing':
        throw this.#wrong()
      default:
        this.#expected satisfies never
    }
  }

  #value(code: number): void {
    this.#steps++
    this.#limits.budget.step()
    if (code === OPEN_LIST) return this.#open({ list: [] }, 'value or ]')
    if (code === OPEN_OBJECT) return this.#open({ object: {}, key: '', size: 0 }, 'key or }')
    if (code !== QUOTE) return this.#put(this.#scalar())
    const string = this.#string()
    if (string !== null) this.#put(string)
  }

  #open(frame: Frame, expected: Expected): void {
    this.#at++
    if (this.#frames.length >= this.#limits.maxDepth) throw this.#limits.exceeded('depth')
    this.#frames.push(frame)
    this.#expected = expected
  }

  #close(): void {
    this.#at++
    const frame = this.#frames.pop()
    if (frame === undefined) return
    if (!('list' in frame)) return this.#put(frame.object)
    const { list } = frame
    this.#put(list.length < SHORT_LIST ? list.slice() : list)
  }

  /** A value is complete. */
  #put(value: unknown): void {
    const frame = this.#frames.at(-1)
    this.#expected = frame === undefined ? 'nothing' : ', or end'
    if (frame === undefined) this.result = value
    else if ('list' in frame) {
      if (frame.list.push(value) > MAX_ITEMS) throw this.#limits.exceeded('items')
    } else {
      if (++frame.size > MAX_MEMBERS) throw this.#limits.exceeded('members')
      write(frame.object, frame.key, value)
    }
  }

  #key(code: number): void {
    if (code !== QUOTE) throw this.#wrong()
    this.#expected = ':'
    const key = this.#string()
    if (key !== null) this.#putKey(key)
  }

  #putKey(key: string): void {
    const frame = this.#frames.at(-1)
    if (frame !== undefined && 'key' in frame) frame.key = key
  }

  #separator(code: number): void {
    const frame = this.#frames.at(-1)
    const isList = frame !== undefined && 'list' in frame
    if (code === (isList ? CLOSE_LIST : CLOSE_OBJECT)) return this.#close()
    if (code !== COMMA) throw this.#wrong()
    this.#at++
    this.#expected = isList ? 'value' : 'key'
  }

  #scalar(): unknown {
    for (const [word, value] of WORDS)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    const start = this.#at
    const beginning = this.#text.slice(start, start + MAX_NUMBER + 1)
    NUMBER.lastIndex = 0
    if (!NUMBER.test(beginning)) throw this.#wrong()
    const length = NUMBER.lastIndex
    if (length > MAX_NUMBER) throw this.#limits.exceeded('numbers')
    this.#at = start + length
    this.#steps += length / CHARACTERS_PER_STEP
    const number = beginning.slice(0, length)
    return this.#limits.exactNumbers === true ? exactNumber(number) : Number(number)
  }

  /** null: it takes more than this step. */
  #string(): string | null {
    const start = this.#at + 1
    const piece = this.#text.slice(start, start + PIECE)
    const length = piece.indexOf('"')
    if (length === 0 || (length > 0 && piece.charCodeAt(length - 1) !== BACKSLASH)) {
      this.#at = start + length + 1
      return unescaped(piece.slice(0, length))
    }
    const reader = new JsonStringReader(this.#text, start)
    const string = reader.proceed()
    if (string === null) {
      this.#long = reader
      return null
    }
    this.#at = reader.at
    return string
  }

  #continueString(reader: JsonStringReader): void {
    const from = reader.at
    const string = reader.proceed()
    this.#steps += (reader.at - from) / CHARACTERS_PER_STEP
    if (string === null) return
    this.#long = null
    this.#at = reader.at
    if (this.#expected === ':') this.#putKey(string)
    else this.#put(string)
  }

  /** The next character that is no white space. */
  #next(): number {
    const text = this.#text
    const end = this.#at + WHITE_SPACE_PER_STEP
    for (let at = this.#at; at < end; at++) {
      if (at >= text.length) {
        this.#at = at
        return END
      }
      const code = text.charCodeAt(at)
      if (code !== SPACE && code !== NEW_LINE && code !== CARRIAGE_RETURN && code !== TAB) {
        this.#at = at
        return code
      }
    }
    this.#at = end
    this.#steps++
    return PAUSE
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`This is no JSON: at character ${this.#at} something else was expected.`)
  }
}
