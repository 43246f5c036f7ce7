/**
 * Finds secrets in texts: as they are, percent-encoded, as JSON and GraphQL write strings, and in base64. Texts are decoded
 * rather than secrets encoded, since there are many ways to encode one. Each text is gone through a fixed number of times,
 * whatever is in it and however many secrets there are.
 */
import type { Meter, Sliced } from '../sliced.ts'
import { Automaton } from './automaton.ts'
import {
  decoded,
  encodedPlaces,
  type Encoding,
  ESCAPES,
  LINE_BREAKS,
  PERCENT,
  type Place,
} from './encodings.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'

/** Shorter ones occur by accident. In characters. */
export const SHORTEST_SECRET = 8
const LINE_BREAK = /[\r\n]/
const NOT_ASCII = /[\u0080-\uffff]/
/** In base64 eight bytes take eleven letters. */
const SHORTEST_RUN = 11
const NOT_BASE64 = 64
const CHUNK = 4096

export class SecretSearch {
  readonly #automaton: Automaton
  readonly #meter: Meter

  private constructor(automaton: Automaton, meter: Meter) {
    this.#automaton = automaton
    this.#meter = meter
  }

  static *of(secrets: Iterable<string>, meter: Meter): Sliced<SecretSearch> {
    return new SecretSearch(yield* Automaton.of(Array.from(secrets, bytesOf), meter), meter)
  }

  /** Where secrets are. */
  *find(text: string): Sliced<readonly HiddenSpan[]> {
    if (text.length < SHORTEST_SECRET) return []
    const bytes = bytesOf(text)
    let inBytes = yield* this.#scan(bytes)
    if (text.includes('%'))
      inBytes = inBytes.concat(yield* this.#decoded(bytes, PERCENT, (decoded) => this.#scan(decoded)))
    inBytes = inBytes.concat(
      LINE_BREAK.test(text)
        ? yield* this.#decoded(bytes, LINE_BREAKS, (joined) => this.#base64(joined))
        : yield* this.#base64(bytes),
    )
    let found = inText(bytes, text, merged(inBytes))
    if (text.includes('\\'))
      found = found.concat(yield* this.#decoded(text, ESCAPES, (said) => this.#plain(said)))
    return merged(found).map(({ start, end }) => ({ start, end, shown: REDACTED }))
  }

  /** Whether one is in a JSON text without escapes and percent codes, as a whole or in its strings. */
  *isIn(json: string): Sliced<boolean> {
    const bytes = bytesOf(json)
    return (yield* this.#scan(bytes)).length > 0 || (yield* this.#base64(bytes)).length > 0
  }

  *#plain(text: string): Sliced<readonly Place[]> {
    const bytes = bytesOf(text)
    return inText(bytes, text, yield* this.#scan(bytes))
  }

  *#decoded(
    text: string,
    encoding: Encoding,
    search: (decoded: string) => Sliced<readonly Place[]>,
  ): Sliced<readonly Place[]> {
    const places = yield* search(yield* decoded(text, encoding, this.#meter))
    return places.length === 0 ? places : yield* encodedPlaces(text, encoding, places, this.#meter)
  }

  *#scan(bytes: string): Sliced<readonly Place[]> {
    const automaton = this.#automaton
    const places: Place[] = []
    const report = (length: number, end: number) => addPlace(places, end - length, end)
    let state = 0
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const before = automaton.looks
      state = automaton.scan(bytes, at, Math.min(at + CHUNK, bytes.length), state, report)
      if (this.#meter.take(automaton.looks - before)) yield
    }
    return places
  }

  /** In runs of its letters, read from each of their first four: what was encoded may begin anywhere. */
  *#base64(text: string): Sliced<readonly Place[]> {
    const places: Place[] = []
    let start = 0
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && SEXTETS[text.charCodeAt(at)] !== NOT_BASE64) continue
      if (at - start >= SHORTEST_RUN) yield* this.#base64Run(text, start, at, places)
      start = at + 1
    }
    if (this.#meter.take(text.length / 8)) yield
    return places
  }

  *#base64Run(text: string, start: number, end: number, places: Place[]): Sliced<void> {
    const automaton = this.#automaton
    const reader = new Base64Reader(automaton, start, places)
    for (let at = start; at < end; ) {
      const before = automaton.looks
      for (const next = Math.min(at + CHUNK, end); at < next; at++)
        reader.read(SEXTETS[text.charCodeAt(at)] ?? 0)
      if (this.#meter.take(automaton.looks - before)) yield
    }
  }
}

class Base64Reader {
  readonly #automaton: Automaton
  readonly #start: number
  readonly #places: Place[]
  /** By the place of its first letter among four: where the automaton is. */
  readonly #states = [0, 0, 0, 0]
  /** Letters that were read. */
  #count = 0
  #pair = 0

  constructor(automaton: Automaton, start: number, places: Place[]) {
    this.#automaton = automaton
    this.#start = start
    this.#places = places
  }

  read(sextet: number): void {
    this.#pair = ((this.#pair << 6) | sextet) & 0xfff
    // Two letters have the first, second or third byte of four, which began that many letters before.
    for (let phase = 0; phase < 3 && phase < this.#count; phase++) {
      const offset = (this.#count - 1 - phase) & 3
      const byte = (this.#pair >> (4 - 2 * phase)) & 0xff
      const state = this.#automaton.next(this.#states[offset] ?? 0, byte)
      this.#states[offset] = state
      const length = this.#automaton.endingIn(state)
      if (length === 0) continue
      const at = this.#start + this.#count
      addPlace(this.#places, at - 1 - phase - lettersBefore(length - 1, phase), at + 1)
    }
    this.#count++
  }
}

/** From the group of four with a byte, read in that phase, back to where the byte so many before it began. */
function lettersBefore(bytes: number, phase: number): number {
  const whole = Math.ceil((bytes - phase) / 3)
  const first = phase - bytes + 3 * whole
  return 4 * whole - first
}

/** What the letters of base64 and base64url stand for; NOT_BASE64: it is none. */
const SEXTETS = new Uint8Array(256).fill(NOT_BASE64)
for (const signs of ['+/', '-_']) {
  const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${signs}`
  for (let sextet = 0; sextet < 64; sextet++) SEXTETS[alphabet.charCodeAt(sextet)] = sextet
}

/** Ends come in order. */
function addPlace(places: Place[], start: number, end: number): void {
  let first = start
  for (let last = places.at(-1); last !== undefined && last.end >= start; last = places.at(-1)) {
    first = Math.min(first, last.start)
    places.pop()
  }
  places.push({ start: first, end })
}

/** In order, none of them touching the next. */
function merged(places: readonly Place[]): readonly Place[] {
  const found: Place[] = []
  for (const { start, end } of places.toSorted((a, b) => a.end - b.end)) addPlace(found, start, end)
  return found
}

/** A string of the bytes of UTF-8. */
function bytesOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** From places in the bytes of a text, in order, to those in the text. */
function inText(bytes: string, text: string, places: readonly Place[]): readonly Place[] {
  if (bytes === text) return places
  let before = 0
  let passed = 0
  const inCharacters = (place: number): number => {
    passed += Buffer.from(bytes.slice(before, place), 'latin1').toString().length
    before = place
    return passed
  }
  return places.map(({ start, end }) => ({ start: inCharacters(start), end: inCharacters(end) }))
}
