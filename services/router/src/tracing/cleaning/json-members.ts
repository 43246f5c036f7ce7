/**
 * Goes through JSON and finds the parts that are not shown: the values of members with certain names, and
 * values that nest too deep. Also goes through texts that are no JSON but hold some, such as a message that
 * quotes a request.
 */
import type { Meter, Sliced } from './meter.ts'
import { type HiddenSpan, REDACTED, replaceSpans } from './spans.ts'

/**
 * The depth beyond which values are cut off: nobody reads them, and readers of traces refuse values that are
 * much deeper.
 */
export const MAX_DEPTH = 400
export const TOO_DEEP = '[nested too deeply]'

/** A member or a string, and where it stands in JSON. */
export type JsonPlace = {
  /** The name of the member itself, or of the one around the string. */
  readonly name: string
  /** The name of the member of the outermost object that it is in. */
  readonly outermost: string
  /** How many lists and objects are around it. */
  readonly depth: number
}

export type JsonRules = {
  readonly isHidden: (place: JsonPlace) => boolean
  /** Called with each text and number in a hidden value. */
  readonly onHidden: (scalar: string) => Sliced<void>
  /** Returns the text to show for a string. `place` is null for the name of a member. */
  readonly shown: (text: string, place: JsonPlace | null) => Sliced<string>
  /** Null for a text that need not be JSON, in which only members are looked for. */
  readonly isNumberShown: ((written: string) => boolean) | null
}

export function* hiddenInJson(text: string, rules: JsonRules, meter: Meter): Sliced<readonly HiddenSpan[]> {
  const reader = new JsonReader(text, rules, meter)
  yield* reader.read()
  return reader.spans
}

const QUOTE = 0x22
const NINE = 0x39
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d

/** Up to the quote that ends a string, or a part of a long one. */
const STRING_PART = /[^"\\]{0,65536}(?:\\(?:[^]|$)[^"\\]{0,65536}){0,64}/y
const COLON = /\s*:\s*/y
const SCALAR = /[^\s,:{}[\]"\\]+/y
const NULL = /null(?!\w)/y
const NUMBER = /^-?\d/
/** The cost of a string, besides its text: handling one takes as long as searching so many characters. */
const STRING = 32

class JsonReader {
  readonly spans: HiddenSpan[] = []
  readonly #text: string
  readonly #rules: JsonRules
  readonly #meter: Meter
  readonly #names = new Map<string, number>()
  #at = 0
  #counted = 0
  #place: JsonPlace = { name: '', outermost: '', depth: 0 }
  #depth = 0
  /** The value that is being passed over. `depth` is the number of lists and objects around it. */
  #hiding: { readonly start: number; readonly depth: number; readonly shown: string } | null = null

  constructor(text: string, rules: JsonRules, meter: Meter) {
    this.#text = text
    this.#rules = rules
    this.#meter = meter
  }

  *read(): Sliced<void> {
    const isJson = this.#rules.isNumberShown !== null
    for (; this.#at < this.#text.length; this.#at++) {
      if (this.#at - this.#counted >= 1000 && this.#isSliceOver()) yield
      const sign = this.#text.charCodeAt(this.#at)
      if (sign === QUOTE) yield* this.#string(isJson)
      else if (sign === OPENING_BRACE || sign === OPENING_BRACKET) this.#open(isJson)
      else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) this.#close()
      else if (this.#hiding !== null || (isJson && sign <= NINE)) yield* this.#scalar()
    }
    this.#endHidden(this.#text.length)
  }

  #isSliceOver(): boolean {
    const passed = this.#at - this.#counted
    this.#counted = this.#at
    return this.#meter.take(passed)
  }

  *#string(isJson: boolean): Sliced<void> {
    const start = this.#at
    this.#meter.shorten(STRING)
    let close = start + 1
    for (let from = -1; close !== from; ) {
      from = close
      STRING_PART.lastIndex = from
      if (STRING_PART.test(this.#text)) close = STRING_PART.lastIndex
      this.#at = close
      if (close - this.#counted >= 1000 && this.#isSliceOver()) yield
    }
    const end = Math.min(close + 1, this.#text.length)
    const written = this.#text.slice(start + 1, close)
    COLON.lastIndex = end
    if (close < this.#text.length && COLON.test(this.#text)) yield* this.#name(start, end, written)
    else if (isJson || this.#hiding !== null) yield* this.#value(start, end, written)
    else {
      // Quotes need not be in pairs: this one may begin a name.
      this.#at = close - 1
      yield* this.#quoted(start, end, written)
    }
  }

  *#name(start: number, end: number, written: string): Sliced<void> {
    const value = COLON.lastIndex
    this.#at = value - 1
    if (this.#hiding !== null) return
    const name = yield* meaningOf(written, this.#meter)
    const depth = this.#depth
    this.#place = { name, depth, outermost: depth === 1 ? name : this.#place.outermost }
    if (this.#rules.isNumberShown !== null) {
      const shown = yield* this.#rules.shown(name, null)
      if (shown !== name) this.spans.push({ start, end, shown: JSON.stringify(this.#ownName(shown)) })
    }
    NULL.lastIndex = value
    if (!this.#rules.isHidden(this.#place) || NULL.test(this.#text)) return
    this.#hiding = { start: value, depth, shown: `"${REDACTED}"` }
  }

  /** Two names that look the same now stay two. */
  #ownName(shown: string): string {
    const count = (this.#names.get(shown) ?? 0) + 1
    this.#names.set(shown, count)
    return count === 1 ? shown : `${shown} (${count})`
  }

  *#value(start: number, end: number, written: string): Sliced<void> {
    this.#at = end - 1
    const said = written.includes('\\') ? yield* meaningOf(written, this.#meter) : written
    if (this.#hiding !== null) {
      if (this.#isSecret) yield* this.#rules.onHidden(said)
      this.#endHiddenAtDepth(end)
      return
    }
    const shown = yield* this.#rules.shown(said, { ...this.#place, depth: this.#depth })
    if (shown !== said) this.spans.push({ start, end, shown: JSON.stringify(shown) })
  }

  /**
   * Looks for members in a part that may be a string, in a text that is no JSON: there may be more JSON in
   * it.
   */
  *#quoted(start: number, end: number, written: string): Sliced<void> {
    if (!written.includes(ESCAPED_QUOTE)) return
    const said = yield* meaningOf(written, this.#meter)
    const spans = yield* hiddenInJson(said, this.#rules, this.#meter)
    if (spans.length === 0) return
    this.spans.push({ start, end, shown: JSON.stringify(yield* replaceSpans(said, spans, this.#meter)) })
  }

  #open(isJson: boolean): void {
    this.#depth++
    if (this.#hiding === null && isJson && this.#depth > MAX_DEPTH)
      this.#hiding = { start: this.#at, depth: this.#depth - 1, shown: `"${TOO_DEEP}"` }
  }

  #close(): void {
    this.#depth--
    if (this.#hiding === null) return
    // Without a value the bracket belongs to what is around the member.
    if (this.#depth < this.#hiding.depth) this.#endHidden(this.#at)
    else this.#endHiddenAtDepth(this.#at + 1)
  }

  *#scalar(): Sliced<void> {
    SCALAR.lastIndex = this.#at
    if (!SCALAR.test(this.#text)) return
    const start = this.#at
    const end = SCALAR.lastIndex
    const written = this.#text.slice(start, end)
    this.#at = end - 1
    if (this.#hiding !== null) {
      if (NUMBER.test(written) && this.#isSecret) yield* this.#rules.onHidden(written)
      this.#endHiddenAtDepth(end)
    } else if (NUMBER.test(written) && this.#rules.isNumberShown?.(written) === false)
      this.spans.push({ start, end, shown: `"${REDACTED}"` })
  }

  /** Whether the value is hidden for its secret, and not only because it is too deep. */
  get #isSecret(): boolean {
    return this.#hiding?.shown.includes(REDACTED) === true
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

const ESCAPED_QUOTE = '\\"'
/** Escapes are decoded in pieces, of which none begins or ends inside of an escape. */
const PIECES = /(?:\\u[0-9a-fA-F]{4}|\\[^]|[^]){1,32768}/g
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([^]))/g
const MEANT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Returns the text that a JSON string stands for. The string is given without its quotes. */
function* meaningOf(written: string, meter: Meter): Sliced<string> {
  if (!written.includes('\\')) return written
  let said = ''
  for (const [piece] of written.matchAll(PIECES)) {
    said += meaningOfPiece(piece)
    if (meter.take(piece.length)) yield
  }
  return said
}

function meaningOfPiece(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    // The text around is no JSON.
    return written.replaceAll(ESCAPE, (_, code: string | undefined, letter = '') =>
      code === undefined ? (MEANT[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
}
