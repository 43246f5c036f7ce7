/**
 * Finds many texts in another one in time linear in that one, however many they are and however alike (Aho and Corasick,
 * "Efficient string matching", 1975).
 *
 * Texts are strings of bytes (each character below U+0100); `+` and the space are the same, as in forms. The states are
 * numbered level by level, so that those that follow one state are next to each other, in the order of their bytes: a state
 * takes 21 bytes while they are numbered and 13 later, and is found by bisection. No hash table is involved that somebody could fill with collisions.
 */
import type { Meter, Sliced } from '../sliced.ts'

/** Lists up to this length are sorted by insertion: counting takes 256 counters. */
const SHORT_LIST = 32
/** To sort a text by a byte costs as much as to look at so many states. */
const SORTING = 8
const SPACE = 0x20

type Report = (length: number, end: number) => void

export class Automaton {
  readonly #root = new Int32Array(256)
  /** Those that follow `state` are from `#first[state]` to before `#first[state + 1]`. */
  readonly #first: Int32Array
  readonly #byte: Uint8Array
  /** Goes on for a state that cannot: the longest end of its text that another text begins with. */
  readonly #fallback: Int32Array
  /** Length of the longest text that ends in a state; 0: none does. */
  readonly #longest: Int32Array
  #looks = 0

  private constructor(maxStates: number) {
    this.#first = new Int32Array(maxStates + 1)
    this.#byte = new Uint8Array(maxStates)
    this.#fallback = new Int32Array(maxStates)
    this.#longest = new Int32Array(maxStates)
  }

  static *of(texts: readonly string[], meter: Meter): Sliced<Automaton> {
    const automaton = new Automaton(texts.reduce((sum, { length }) => sum + length, 1))
    yield* automaton.#build(texts, meter)
    return automaton
  }

  /** Goes on from a state with the bytes of a text, and reports each end of a text with its length. Gives the state then. */
  scan(bytes: string, start: number, end: number, state: number, report: Report): number {
    let at = state
    for (let place = start; place < end; place++) {
      at = this.next(at, bytes.charCodeAt(place))
      const length = this.#longest[at] ?? 0
      if (length > 0) report(length, place + 1)
    }
    return at
  }

  next(from: number, byte: number): number {
    const folded = FOLDED[byte] ?? 0
    for (let state = from; ; state = this.#fallback[state] ?? 0) {
      this.#looks++
      if (state === 0) return this.#root[folded] ?? 0
      const next = this.#following(state, folded)
      if (next !== 0) return next
    }
  }

  /** Length of the longest text that ends here; 0: none does. */
  endingIn(state: number): number {
    return this.#longest[state] ?? 0
  }

  /** How often a state was looked at. */
  get looks(): number {
    return this.#looks
  }

  *#build(texts: readonly string[], meter: Meter): Sliced<void> {
    const order = Int32Array.from(texts.keys())
    // Texts that begin as a state does, as places in `order`.
    const from = new Int32Array(this.#byte.length)
    const to = new Int32Array(this.#byte.length)
    to[0] = texts.length
    let depth = 0
    /** -1: the text ends there. */
    const byteOf = (text: number): number => {
      const byte = texts[text]?.charCodeAt(depth)
      return byte === undefined || Number.isNaN(byte) ? -1 : (FOLDED[byte] ?? 0)
    }
    let states = 1
    for (let state = 0, levelEnd = 1; state < states; state++) {
      if (state === levelEnd) {
        depth++
        levelEnd = states
      }
      this.#first[state] = states
      const start = from[state] ?? 0
      const end = to[state] ?? 0
      sortByByte(order, start, end, byteOf)
      const fallback = this.#fallback[state] ?? 0
      let place = start
      while (place < end && byteOf(order[place] ?? 0) === -1) place++
      this.#longest[state] = place > start ? depth : this.endingIn(fallback)
      while (place < end) {
        const byte = byteOf(order[place] ?? 0)
        this.#byte[states] = byte
        from[states] = place
        while (place < end && byteOf(order[place] ?? 0) === byte) place++
        to[states] = place
        if (state === 0) this.#root[byte] = states
        else this.#fallback[states] = this.next(fallback, byte)
        states++
      }
      if (meter.take(end - start > 1 ? SORTING * (end - start) : 2)) yield
    }
    this.#first[states] = states
  }

  /** 0: none. */
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

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte === '+'.charCodeAt(0) ? SPACE : byte))
