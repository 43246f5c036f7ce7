/**
 * `JSON.parse` for large texts, in slices. Five megabytes of JSON may take half a second to parse, by what is in them, and
 * `JSON.parse` cannot be interrupted. This takes about twice as long for usual ones, but not in one go, and it stops at limits.
 */
import { write } from '../execution/json-object.ts'
import { WorkBudget } from '../work/budget.ts'
import { inSlices, type SlicedWork, type Turns } from '../work/slices.ts'

export type JsonLimits = {
  /** Items and members, at any level. */
  readonly maxValues: number
  readonly maxDepth: number
  /** Makes what is thrown when one of the limits is reached. */
  readonly exceeded: (limit: 'values' | 'depth') => Error
}

/** Rejects with a SyntaxError for what is no JSON. */
export async function readJsonInTurns(text: string, turns: Turns, limits: JsonLimits): Promise<unknown> {
  const reader = new JsonReader(text, limits)
  await inSlices(reader, turns)
  return reader.result
}

type Frame = { readonly list: unknown[] } | { readonly object: Record<string, unknown>; key: string }

/** What may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ', or end' | 'nothing'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

class JsonReader implements SlicedWork {
  result: unknown
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #budget: WorkBudget
  readonly #frames: Frame[] = []
  #at = 0
  #expected: Expected = 'value'

  constructor(text: string, limits: JsonLimits) {
    this.#text = text
    this.#limits = limits
    this.#budget = new WorkBudget(limits.maxValues, () => limits.exceeded('values'))
  }

  proceed(steps: number): boolean {
    const end = this.#budget.spent + steps
    while (this.#budget.spent < end) {
      const character = this.#next()
      if (character === '') {
        if (this.#expected !== 'nothing') throw this.#wrong()
        return true
      }
      this.#take(character)
    }
    return false
  }

  #take(character: string): void {
    switch (this.#expected) {
      case 'value or ]':
        if (character === ']') return this.#close()
        return this.#value(character)
      case 'value':
        return this.#value(character)
      case 'key or }':
        if (character === '}') return this.#close()
        return this.#key(character)
      case 'key':
        return this.#key(character)
      case ', or end':
        return this.#separator(character)
      case 'nothing':
        throw this.#wrong()
      default:
        this.#expected satisfies never
    }
  }

  #value(character: string): void {
    this.#budget.step()
    if (character === '[') return this.#open({ list: [] }, 'value or ]')
    if (character === '{') return this.#open({ object: {}, key: '' }, 'key or }')
    this.#put(character === '"' ? this.#string() : this.#scalar())
    this.#expected = this.#frames.length === 0 ? 'nothing' : ', or end'
  }

  #open(frame: Frame, expected: Expected): void {
    this.#at++
    this.#put('list' in frame ? frame.list : frame.object)
    if (this.#frames.length >= this.#limits.maxDepth) throw this.#limits.exceeded('depth')
    this.#frames.push(frame)
    this.#expected = expected
  }

  #close(): void {
    this.#at++
    this.#frames.pop()
    this.#expected = this.#frames.length === 0 ? 'nothing' : ', or end'
  }

  #put(value: unknown): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) this.result = value
    else if ('list' in frame) frame.list.push(value)
    else write(frame.object, frame.key, value)
  }

  #key(character: string): void {
    const frame = this.#frames.at(-1)
    if (character !== '"' || frame === undefined || 'list' in frame) throw this.#wrong()
    frame.key = this.#string()
    if (this.#next() !== ':') throw this.#wrong()
    this.#at++
    this.#expected = 'value'
  }

  #separator(character: string): void {
    const frame = this.#frames.at(-1)
    const isList = frame !== undefined && 'list' in frame
    if (character === (isList ? ']' : '}')) return this.#close()
    if (character !== ',') throw this.#wrong()
    this.#at++
    this.#expected = isList ? 'value' : 'key'
  }

  #scalar(): unknown {
    for (const [word, value] of WORDS)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    NUMBER.lastIndex = this.#at
    if (!NUMBER.test(this.#text)) throw this.#wrong()
    const number = Number(this.#text.slice(this.#at, NUMBER.lastIndex))
    this.#at = NUMBER.lastIndex
    return number
  }

  #string(): string {
    const start = this.#at
    let end = start
    do {
      end = this.#text.indexOf('"', end + 1)
      if (end < 0) throw this.#wrong()
    } while (this.#isEscaped(end))
    this.#at = end + 1
    const content = this.#text.slice(start + 1, end)
    // oxlint-disable-next-line no-control-regex -- JSON allows none of these in strings
    if (!/[\\\u0000-\u001f]/.test(content)) return content
    return String(JSON.parse(this.#text.slice(start, end + 1)))
  }

  #isEscaped(quote: number): boolean {
    let escapes = 0
    while (this.#text[quote - 1 - escapes] === '\\') escapes++
    return escapes % 2 === 1
  }

  /** The next character that is no white space; '' at the end. */
  #next(): string {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character
    }
    return ''
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`This is no JSON: at character ${this.#at} something else was expected.`)
  }
}
