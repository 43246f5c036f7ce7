/**
 * Finds many byte strings in a text in time linear in the text, however many they are and however alike (Aho
 * and Corasick, "Efficient string matching", 1975). `+` and the space are the same, as in forms.
 *
 * States are numbered level by level, so that the followers of a state are next to each other, in the order
 * of their bytes, and are found by bisection: a state takes 13 bytes, 21 while they are numbered, and no hash
 * table is involved that somebody could fill with collisions.
 */
import type { Meter, Sliced } from './meter.ts'
import type { Place } from './spans.ts'

/** One of the byte strings (each character below U+0100). */
export type Pattern = {
  readonly bytes: string
  /** Letters of base64 next to the pattern that are partly of the same value. */
  readonly before: boolean
  readonly after: boolean
}

const CHUNK = 4096
/** Lists up to this length are sorted by insertion: counting takes 256 counters. */
const SHORT_LIST = 32
/** To sort a pattern by a byte, and to number a state, costs as much as to look at so many states. */
const SORTING = 8
const LETTER = /[\w+/-]/

export class Automaton {
  readonly #patterns: Pattern[]
  readonly #root = new Int32Array(256)
  /** The followers of `state` are from `#first[state]` to before `#first[state + 1]`. */
  readonly #first: Int32Array
  readonly #byte: Uint8Array
  /**
   * Where a state without the follower wanted goes on: the longest end of its text that another pattern
   * begins with.
   */
  readonly #fallback: Int32Array
  /** The index of the longest pattern that ends in a state, plus 1; 0 if none does. */
  readonly #ending: Int32Array
  #looks = 0

  private constructor(patterns: readonly Pattern[]) {
    this.#patterns = [...patterns]
    const maxStates = patterns.reduce((sum, { bytes }) => sum + bytes.length, 1)
    this.#first = new Int32Array(maxStates + 1)
    this.#byte = new Uint8Array(maxStates)
    this.#fallback = new Int32Array(maxStates)
    this.#ending = new Int32Array(maxStates)
  }

  static *of(patterns: readonly Pattern[], meter: Meter): Sliced<Automaton> {
    const automaton = new Automaton(patterns)
    yield* automaton.#build(meter)
    return automaton
  }

  /** Finds the places of patterns in a text of bytes. They are in order, and none touches the next. */
  *search(text: string, meter: Meter): Sliced<readonly Place[]> {
    const places: Place[] = []
    let state = 0
    for (let at = 0; at < text.length; at += CHUNK) {
      const before = this.#looks
      for (let index = at; index < Math.min(at + CHUNK, text.length); index++) {
        state = this.#next(state, FOLDED[text.charCodeAt(index)] ?? 0)
        const pattern = this.#patterns[(this.#ending[state] ?? 0) - 1]
        if (pattern !== undefined) addPlace(places, placeOf(pattern, text, index + 1))
      }
      if (meter.take(this.#looks - before)) yield
    }
    return places
  }

  #next(from: number, byte: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? 0) {
      this.#looks++
      if (state === 0) return this.#root[byte] ?? 0
      const next = this.#following(state, byte)
      if (next !== 0) return next
    }
  }

  *#build(meter: Meter): Sliced<void> {
    // Patterns that begin as a state does, as places in `order`.
    const order = Int32Array.from(this.#patterns.keys())
    const from = new Int32Array(this.#byte.length)
    const to = new Int32Array(this.#byte.length)
    to[0] = order.length
    let [states, depth] = [1, 0]
    /** Returns the next byte of a pattern, or -1 if the pattern ends there. */
    const byteOf = (pattern: number): number => {
      const byte = this.#patterns[pattern]?.bytes.charCodeAt(depth)
      return byte === undefined || Number.isNaN(byte) ? -1 : (FOLDED[byte] ?? 0)
    }
    for (let state = 0, levelEnd = 1; state < states; state++) {
      if (state === levelEnd) {
        depth++
        levelEnd = states
      }
      this.#first[state] = states
      let [place, end] = [from[state] ?? 0, to[state] ?? 0]
      if (meter.take(SORTING * (end - place))) yield
      sortByByte(order, place, end, byteOf)
      const fallback = this.#fallback[state] ?? 0
      this.#ending[state] = this.#ending[fallback] ?? 0
      for (let equal: Pattern | undefined; place < end && byteOf(order[place] ?? 0) === -1; place++)
        equal = this.#endIn(state, order[place] ?? 0, equal)
      while (place < end) {
        const byte = byteOf(order[place] ?? 0)
        this.#byte[states] = byte
        from[states] = place
        while (place < end && byteOf(order[place] ?? 0) === byte) place++
        to[states] = place
        if (state === 0) this.#root[byte] = states
        else this.#fallback[states] = this.#next(fallback, byte)
        states++
      }
    }
    this.#first[states] = states
  }

  /** Ends a pattern in a state. Equal patterns are one, which has the letters next to any of them. */
  #endIn(state: number, index: number, equal: Pattern | undefined): Pattern | undefined {
    const pattern = this.#patterns[index]
    if (pattern === undefined) return equal
    const { bytes, before, after } = pattern
    const all = { bytes, before: before || equal?.before === true, after: after || equal?.after === true }
    this.#patterns[index] = all
    this.#ending[state] = index + 1
    return all
  }

  /** Returns the state that follows on a byte; 0 if there is none. */
  #following(state: number, byte: number): number {
    let low = this.#first[state] ?? 0
    let high = this.#first[state + 1] ?? 0
    while (low < high) {
      const middle = (low + high) >> 1
      const found = this.#byte[middle] ?? 0
      if (found === byte) return middle
      if (found < byte) low = middle + 1
      else high = middle
    }
    return 0
  }
}

function placeOf({ bytes, before, after }: Pattern, text: string, end: number): Place {
  const start = end - bytes.length
  const isLetter = (at: number) => LETTER.test(text[at] ?? '')
  return {
    start: before && isLetter(start - 1) ? start - 1 : start,
    end: after && isLetter(end) ? end + 1 : end,
  }
}

/** Ends come in order, but for one. */
function addPlace(places: Place[], { start, end }: Place): void {
  let [first, last] = [start, end]
  for (let place = places.at(-1); place !== undefined && place.end >= start; place = places.at(-1)) {
    first = Math.min(first, place.start)
    last = Math.max(last, place.end)
    places.pop()
  }
  places.push({ start: first, end: last })
}

/** Linear in the length of the list. */
function sortByByte(list: Int32Array, from: number, end: number, byteOf: (item: number) => number): void {
  if (end - from > SHORT_LIST) return countingSort(list.subarray(from, end), byteOf)
  for (let place = from + 1; place < end; place++) {
    const item = list[place] ?? 0
    const byte = byteOf(item)
    let hole = place
    for (; hole > from && byteOf(list[hole - 1] ?? 0) > byte; hole--) list[hole] = list[hole - 1] ?? 0
    list[hole] = item
  }
}

function countingSort(list: Int32Array, byteOf: (item: number) => number): void {
  // From -1 on, each one place further.
  const places = new Int32Array(258)
  const add = (index: number, count: number) => (places[index] = (places[index] ?? 0) + count)
  for (const item of list) add(byteOf(item) + 2, 1)
  for (let index = 0; index < 257; index++) add(index + 1, places[index] ?? 0)
  for (const item of list.slice()) list[add(byteOf(item) + 1, 1) - 1] = item
}

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x2b ? 0x20 : byte))
