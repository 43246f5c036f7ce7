/**
 * Goes through JSON and finds what of it is not shown: the values of members with certain names, and what is too deep. Also
 * through texts that are no JSON but hold some, such as a message that quotes a request; there, JSON in a string of JSON is
 * found as well: each of its quotes has backslashes before it, one for the first level and three for the second.
 */
import type { Meter, Sliced } from '../sliced.ts'
import { decoded, ESCAPES } from './encodings.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'

/** Deeper values are cut off: nobody reads them, and readers of traces refuse what is much deeper. */
export const MAX_DEPTH = 400
export const TOO_DEEP = '[nested too deeply]'

/** A member or a string, and where it stands in JSON. */
export type JsonPlace = {
  /** Of the member itself, or around the string. */
  readonly name: string
  /** Of the member of the outermost object that it is in. */
  readonly outermost: string
  /** How many lists and objects are around it. */
  readonly depth: number
}

export type ShownValues = {
  /** What is shown of a string; null: it is the name of a member. */
  readonly string: (text: string, place: JsonPlace | null) => Sliced<string>
  readonly isNumberShown: (written: string) => boolean
}

export type HiddenInJson = {
  readonly spans: readonly HiddenSpan[]
  /** Texts and numbers of the values that are hidden because of their names. */
  readonly scalars: readonly string[]
}

/** `values`: null for a text that need not be JSON, in which only members are looked for. */
export function* hiddenInJson(
  text: string,
  isHidden: (place: JsonPlace) => boolean,
  values: ShownValues | null,
  meter: Meter,
): Sliced<HiddenInJson> {
  const reader = new JsonReader(text, isHidden, values, meter)
  yield* reader.read()
  return reader
}

/** How many lists and objects begin in a part of a text. Those that are cut off stand in more than `MAX_DEPTH` others. */
export function openingsIn(json: string, from: number, to: number): number {
  let opened = 0
  for (let at = from; at < Math.min(to, json.length); at++) {
    const sign = json.charCodeAt(at)
    if (sign === OPENING_BRACE || sign === OPENING_BRACKET) opened++
  }
  return opened
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NINE = 0x39
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d

const COLON = /\s*:\s*/y
const SCALAR = /[^\s,:{}[\]"\\]+/y
const NULL = /null(?!\w)/y
const NUMBER = /^-?\d/
/** Longer strings are decoded in slices. */
const LONG = 1 << 16
/** What is done for a string takes as long as to search so many characters. */
const STRING = 32

class JsonReader implements HiddenInJson {
  readonly spans: HiddenSpan[] = []
  readonly scalars: string[] = []
  readonly #text: string
  readonly #isHidden: (place: JsonPlace) => boolean
  readonly #values: ShownValues | null
  readonly #meter: Meter
  readonly #names = new Map<string, number>()
  #at = 0
  #counted = 0
  #place: JsonPlace = { name: '', outermost: '', depth: 0 }
  #depth = 0
  /** The value that is being passed over. `depth`: how many lists and objects are around it. */
  #hiding: { readonly start: number; readonly depth: number; readonly shown: string } | null = null

  constructor(
    text: string,
    isHidden: (place: JsonPlace) => boolean,
    values: ShownValues | null,
    meter: Meter,
  ) {
    this.#text = text
    this.#isHidden = isHidden
    this.#values = values
    this.#meter = meter
  }

  *read(): Sliced<void> {
    for (; this.#at < this.#text.length; this.#at++) {
      if (this.#isSliceOver()) yield
      const sign = this.#text.charCodeAt(this.#at)
      if (sign === QUOTE) yield* this.#string()
      else if (sign === OPENING_BRACE || sign === OPENING_BRACKET) this.#open()
      else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) this.#close()
      else if (this.#hiding !== null || (this.#values !== null && sign <= NINE)) this.#scalar()
    }
    this.#endHidden(this.#text.length)
  }

  #isSliceOver(): boolean {
    const passed = this.#at - this.#counted
    if (passed < 1000) return false
    this.#counted = this.#at
    return this.#meter.take(passed)
  }

  *#string(): Sliced<void> {
    const start = this.#at
    this.#meter.shorten(STRING)
    const escapes = backslashesBefore(this.#text, start)
    // In a text that is no JSON quotes need not be in pairs: two that follow each other may have a name between them.
    const mayBeName = this.#values === null && this.#hiding === null
    let close = this.#text.indexOf('"', start + 1)
    for (; close !== -1 && !this.#closes(close, escapes); close = this.#text.indexOf('"', close + 1)) {
      if (mayBeName) break
      this.#at = close
      if (this.#isSliceOver()) yield
    }
    const end = close === -1 ? this.#text.length : close + 1
    const content = this.#text.slice(start + 1, close === -1 ? end : close - escapes)
    COLON.lastIndex = end
    if (close !== -1 && this.#closes(close, escapes) && COLON.test(this.#text))
      yield* this.#name(start, end, content, escapes)
    else if (mayBeName) this.#at = close === -1 ? end : close - 1
    else yield* this.#value(start, end, content, escapes)
  }

  /** Whether this quote ends a string in front of whose first one so many backslashes stand. */
  #closes(quote: number, escapes: number): boolean {
    return backslashesBefore(this.#text, quote) % (2 * escapes + 2) === escapes
  }

  *#name(start: number, end: number, written: string, escapes: number): Sliced<void> {
    const value = COLON.lastIndex
    this.#at = value - 1
    if (this.#hiding !== null) return
    const name = yield* meaningOf(written, escapes, this.#meter)
    const depth = this.#depth
    this.#place = { name, depth, outermost: depth === 1 ? name : this.#place.outermost }
    if (this.#values !== null) {
      const shown = yield* this.#values.string(name, null)
      if (shown !== name) this.spans.push({ start, end, shown: JSON.stringify(this.#ownName(shown)) })
    }
    NULL.lastIndex = value
    if (!this.#isHidden(this.#place) || NULL.test(this.#text)) return
    const quote = `${'\\'.repeat(escapes)}"`
    this.#hiding = { start: value, depth, shown: `${quote}${REDACTED}${quote}` }
  }

  /** Two names that look the same now stay two. */
  #ownName(shown: string): string {
    const count = (this.#names.get(shown) ?? 0) + 1
    this.#names.set(shown, count)
    return count === 1 ? shown : `${shown} (${count})`
  }

  *#value(start: number, end: number, written: string, escapes: number): Sliced<void> {
    this.#at = end - 1
    if (this.#hiding !== null) {
      this.#learn(yield* meaningOf(written, escapes, this.#meter))
      this.#endHiddenAtDepth(end)
    } else if (this.#values !== null) {
      const said = yield* meaningOf(written, 0, this.#meter)
      const shown = yield* this.#values.string(said, { ...this.#place, depth: this.#depth })
      if (shown !== said) this.spans.push({ start, end, shown: JSON.stringify(shown) })
    }
  }

  #open(): void {
    this.#depth++
    if (this.#hiding === null && this.#values !== null && this.#depth > MAX_DEPTH)
      this.#hiding = { start: this.#at, depth: this.#depth - 1, shown: `"${TOO_DEEP}"` }
  }

  #close(): void {
    this.#depth--
    if (this.#hiding === null) return
    // Without a value the bracket belongs to what is around the member.
    if (this.#depth < this.#hiding.depth) this.#endHidden(this.#at)
    else this.#endHiddenAtDepth(this.#at + 1)
  }

  #scalar(): void {
    SCALAR.lastIndex = this.#at
    if (!SCALAR.test(this.#text)) return
    const start = this.#at
    const end = SCALAR.lastIndex
    const written = this.#text.slice(start, end)
    this.#at = end - 1
    if (this.#hiding !== null) {
      if (NUMBER.test(written)) this.#learn(written)
      this.#endHiddenAtDepth(end)
    } else if (this.#values !== null && NUMBER.test(written) && !this.#values.isNumberShown(written))
      this.spans.push({ start, end, shown: `"${REDACTED}"` })
  }

  #learn(scalar: string): void {
    if (this.#hiding?.shown.includes(REDACTED) === true) this.scalars.push(scalar)
  }

  #endHiddenAtDepth(end: number): void {
    if (this.#depth === this.#hiding?.depth) this.#endHidden(end)
  }

  #endHidden(end: number): void {
    if (this.#hiding === null) return
    const { start, shown } = this.#hiding
    if (end > start) this.spans.push({ start, end, shown })
    this.#hiding = null
  }
}

function backslashesBefore(text: string, quote: number): number {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return quote - first
}

/** What a string says, given without its quotes, in front of which so many backslashes stand. */
function* meaningOf(written: string, escapes: number, meter: Meter): Sliced<string> {
  let said = written
  for (let left = 2 * escapes + 1; left > 0 && said.includes('\\'); left >>= 1)
    said = jsonMeaning(said) ?? (yield* decoded(said, ESCAPES, meter))
  return said
}

/** null: it is long, or the text is no JSON. */
function jsonMeaning(written: string): string | null {
  if (written.length > LONG) return null
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return null
  }
}
