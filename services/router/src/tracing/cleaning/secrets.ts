/**
 * The values that a request, or what came of it, calls secret: collected first, then looked for in each text
 * as they are, as JSON writes them, percent-encoded, and in base64. Percent codes are decoded in the text,
 * since there are many ways to write them; of base64 there are six forms of each secret, by where it begins
 * in what was encoded and by the alphabet.
 */
import { Automaton, type Pattern } from './automaton.ts'
import type { Meter, Sliced } from './meter.ts'
import { type HiddenSpan, LEFT_OUT, type Place, REDACTED } from './spans.ts'

/** Fewest characters of a secret. Shorter ones occur by accident. */
export const SHORTEST_SECRET = 8
/**
 * Most bytes of all secrets of one request, in UTF-8. Finding them takes about two hundred times as much
 * memory.
 */
const MAX_BYTES = 1 << 17
/** The cost of making the patterns of a secret: it takes as long as searching so many characters. */
const PATTERNS_COST = 512
const HALF_OF_PAIR = /[\ud800-\udfff]/
const NOT_ASCII = /[\u0080-\uffff]/
const PERCENT_CODE = /%[0-9a-fA-F]{2}/
const PERCENT_CODES = /(?:%[0-9a-fA-F]{2}){1,1024}/g

/**
 * Limits of looking for secrets at a glance: so many secrets, in texts up to the length below. Beyond them a
 * glance costs more than a search.
 */
const MOST_AT_A_GLANCE = 16
const LONGEST_AT_A_GLANCE = 1 << 16
/** The end of a token tells more than its beginning, which many have in common. */
const LONGEST_HINT = 16
const SHORTEST_HINT = 6

export class Secrets {
  readonly #meter: Meter
  readonly #values = new Set<string>()
  /**
   * Pieces of which one occurs in each text with a secret. Null if there are no such pieces; undefined until
   * they are made.
   */
  #hints: ReadonlySet<string> | null | undefined
  /** Built for the first text that a glance does not do for: most requests have none. */
  #automaton: Automaton | null = null
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
    this.#automaton = null
    this.#anyNumber ||= String(Number(value)) === value
  }

  giveUp(): void {
    this.#tooMany = true
    this.#values.clear()
    this.#automaton = null
  }

  /** Whether none is in a text, as far as a glance tells: a few native searches of a short text. */
  areAbsentFrom(text: string): boolean {
    if (this.#values.size === 0 || text.length < SHORTEST_SECRET) return true
    if (text.length > LONGEST_AT_A_GLANCE || PERCENT_CODE.test(text)) return false
    if (this.#hints === undefined) this.#hints = hintsOf(this.#values)
    if (this.#hints === null) return false
    for (const hint of this.#hints) if (text.includes(hint)) return false
    return true
  }

  /**
   * Finds the places of secrets in a text. They are in order, and none touches the next, except where one of
   * two is percent-encoded.
   */
  *find(text: string): Sliced<readonly HiddenSpan[]> {
    if (this.areAbsentFrom(text)) return []
    const automaton = (this.#automaton ??= yield* this.#automatonOf())
    const bytes = bytesOf(text)
    let places = yield* automaton.search(bytes, this.#meter)
    if (bytes.includes('%') && PERCENT_CODE.test(bytes)) {
      const said = yield* automaton.search(yield* percentDecoded(bytes, this.#meter), this.#meter)
      const inCodes = yield* asWritten(bytes, said, this.#meter)
      places = [...places, ...inCodes].sort((a, b) => a.start - b.start)
    }
    return inText(bytes, text, places).map((place) => ({ ...place, shown: REDACTED }))
  }

  /** Whether a number, as JSON writes it in one of the possible ways, is a secret. */
  hasNumber(written: string): boolean {
    const value = String(Number(written))
    if (this.#tooMany) return value.length >= SHORTEST_SECRET || written.length >= SHORTEST_SECRET
    return this.#values.has(value) || this.#values.has(written)
  }

  *#automatonOf(): Sliced<Automaton> {
    const patterns: Pattern[] = []
    for (const value of this.#values) {
      patterns.push(...patternsOf(value))
      if (this.#meter.take(PATTERNS_COST + 16 * value.length)) yield
    }
    return yield* Automaton.of(patterns, this.#meter)
  }
}

function patternsOf(secret: string): readonly Pattern[] {
  const written = JSON.stringify(secret).slice(1, -1)
  const whole = (text: string) => ({ bytes: bytesOf(text), before: false, after: false })
  const forms = [whole(secret), ...(written === secret ? [] : [whole(written)])]
  // Three bytes are four letters: where a secret begins among three decides its letters.
  for (const bytesBefore of [0, 1, 2]) {
    const bytes = Buffer.from('\0'.repeat(bytesBefore) + secret)
    const [first, end] = [Math.ceil((bytesBefore * 4) / 3), Math.floor((bytes.length * 4) / 3)]
    const letters = bytes.toString('base64').slice(first, end)
    const ragged = { before: bytesBefore > 0, after: bytes.length % 3 > 0 }
    forms.push({ bytes: letters, ...ragged })
    if (/[+/]/.test(letters))
      forms.push({ bytes: letters.replaceAll('+', '-').replaceAll('/', '_'), ...ragged })
  }
  return forms
}

/**
 * Returns a piece of each form of each secret. Returns null if there are many secrets, or if one has no piece
 * that is telling enough.
 */
function hintsOf(secrets: ReadonlySet<string>): ReadonlySet<string> | null {
  if (secrets.size > MOST_AT_A_GLANCE) return null
  const hints = new Set<string>()
  for (const secret of secrets)
    for (const { bytes } of patternsOf(secret)) {
      // A form writes a space as a plus sign.
      const runs = bytes.split(/[+ \u0080-\u00ff]+/)
      const hint = runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
      if (hint.length < SHORTEST_HINT) return null
      hints.add(hint.slice(-LONGEST_HINT))
    }
  return hints
}

/**
 * Counts the characters that are not blank, as far as needed: spaces alone are the indentation of each
 * document.
 */
function visibleLength(value: string): number {
  const visible = value.trim().slice(0, 2 * SHORTEST_SECRET)
  return HALF_OF_PAIR.test(visible) ? Array.from(visible).length : visible.length
}

/** A string of the bytes of UTF-8. */
function bytesOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** Turns places in the bytes of a text, in order, into places in the text. */
function inText(bytes: string, text: string, places: readonly Place[]): readonly Place[] {
  if (bytes === text) return places
  let [at, passed] = [0, 0]
  const inCharacters = (place: number): number => {
    if (place < at) [at, passed] = [0, 0]
    passed += Buffer.from(bytes.slice(at, place), 'latin1').toString().length
    at = place
    return passed
  }
  return places.map(({ start, end }) => ({ start: inCharacters(start), end: inCharacters(end) }))
}

function* percentDecoded(text: string, meter: Meter): Sliced<string> {
  const decoded = Buffer.alloc(text.length)
  let [from, length] = [0, 0]
  for (const { 0: codes, index } of text.matchAll(PERCENT_CODES)) {
    length += decoded.write(text.slice(from, index), length, 'latin1')
    length += decoded.write(codes.replaceAll('%', ''), length, 'hex')
    if (meter.take(index - from + codes.length + 16)) yield
    from = index + codes.length
  }
  length += decoded.write(text.slice(from), length, 'latin1')
  return decoded.toString('latin1', 0, length)
}

/**
 * Turns places in a percent-decoded text, in order, into places in the text as it is written. A place that
 * begins or ends within several codes in a row takes all of them.
 */
function* asWritten(text: string, places: readonly Place[], meter: Meter): Sliced<readonly Place[]> {
  if (places.length === 0) return places
  const edges = places.flatMap(({ start, end }) => [start, end])
  const found: number[] = []
  // How much longer the text is than what it says, up to the codes.
  let longer = 0
  for (const { 0: codes, index } of text.matchAll(PERCENT_CODES)) {
    const said = { start: index - longer, end: index - longer + codes.length / 3 }
    for (let edge = edges[found.length]; edge !== undefined; edge = edges[found.length]) {
      const isEnd = found.length % 2 === 1
      const character = isEnd ? edge - 1 : edge
      if (character >= said.end) break
      if (character < said.start) found.push(edge + longer)
      else found.push(isEnd ? index + codes.length : index)
    }
    longer += codes.length - codes.length / 3
    if (meter.take(16)) yield
  }
  while (found.length < edges.length) found.push((edges[found.length] ?? 0) + longer)
  return places.map((_, index) => ({ start: found[2 * index] ?? 0, end: found[2 * index + 1] ?? 0 }))
}
