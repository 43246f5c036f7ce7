/**
 * Finds many texts in another one in time linear to that one, however many they are and however alike (Aho and Corasick,
 * "Efficient string matching", 1975). Over bytes; `+` and the space are the same, as in forms.
 *
 * Edges are kept in one hash table of numbers: a table of 256 per state would take a gigabyte for a megabyte of texts.
 */
const PLUS = 0x2b
const SPACE = 0x20

export class Automaton {
  readonly #root = new Int32Array(256)
  readonly #mask: number
  readonly #keys: Int32Array
  readonly #targets: Int32Array
  readonly #fail: Int32Array
  /** Length of the longest text that ends in a state; 0: none does. */
  readonly #ends: Int32Array

  constructor(texts: Iterable<string>) {
    const wanted = Array.from(texts, (text) => Buffer.from(text, 'utf8'))
    const states = wanted.reduce((sum, { length }) => sum + length, 1)
    // At most half full.
    const slots = 2 ** Math.ceil(Math.log2(states * 2 + 1))
    this.#mask = slots - 1
    this.#keys = new Int32Array(slots)
    this.#targets = new Int32Array(slots)
    this.#fail = new Int32Array(states)
    this.#ends = new Int32Array(states)
    const trie = new Trie(states)
    for (const bytes of wanted) this.#add(bytes, trie)
    this.#link(trie)
  }

  /** Reports each place, as the first byte and the one behind the last. */
  scan(bytes: Uint8Array, length: number, report: (start: number, end: number) => void): void {
    let state = 0
    for (let at = 0; at < length; at++) {
      state = this.#next(state, folded(bytes[at] ?? 0))
      const found = this.#ends[state] ?? 0
      if (found !== 0) report(at + 1 - found, at + 1)
    }
  }

  #add(bytes: Uint8Array, trie: Trie): void {
    let state = 0
    for (const each of bytes) {
      const byte = folded(each)
      let next = this.#edge(state, byte)
      if (next === 0) {
        next = trie.add(state, byte)
        this.#setEdge(state, byte, next)
      }
      state = next
    }
    this.#ends[state] = bytes.length
  }

  /** A state that cannot go on goes on from the longest end of its text that another text begins with. */
  #link(trie: Trie): void {
    for (const state of trie.byLevel()) {
      const parent = trie.parent(state)
      const fallback = parent === 0 ? 0 : this.#next(this.#fail[parent] ?? 0, trie.byte(state))
      this.#fail[state] = fallback
      this.#ends[state] ||= this.#ends[fallback] ?? 0
    }
  }

  #next(from: number, byte: number): number {
    let state = from
    while (state !== 0) {
      const next = this.#edge(state, byte)
      if (next !== 0) return next
      state = this.#fail[state] ?? 0
    }
    return this.#root[byte] ?? 0
  }

  #edge(state: number, byte: number): number {
    if (state === 0) return this.#root[byte] ?? 0
    const key = (state << 8) | byte
    let slot = Math.imul(key, 0x9e3779b1) >>> 7
    for (;;) {
      slot &= this.#mask
      const at = this.#keys[slot]
      if (at === key) return this.#targets[slot] ?? 0
      if (at === 0) return 0
      slot++
    }
  }

  #setEdge(state: number, byte: number, target: number): void {
    if (state === 0) {
      this.#root[byte] = target
      return
    }
    const key = (state << 8) | byte
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & this.#mask
    while (this.#keys[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#keys[slot] = key
    this.#targets[slot] = target
  }
}

function folded(byte: number): number {
  return byte === PLUS ? SPACE : byte
}

/** Only while building. State 0 is the root. */
class Trie {
  readonly #parents: Int32Array
  readonly #bytes: Uint8Array
  readonly #levels: number[][] = []
  readonly #level: Int32Array
  #size = 1

  constructor(states: number) {
    this.#parents = new Int32Array(states)
    this.#bytes = new Uint8Array(states)
    this.#level = new Int32Array(states)
  }

  add(parent: number, byte: number): number {
    const state = this.#size++
    const level = (this.#level[parent] ?? 0) + 1
    this.#parents[state] = parent
    this.#bytes[state] = byte
    this.#level[state] = level
    const same = this.#levels[level - 1]
    if (same === undefined) this.#levels.push([state])
    else same.push(state)
    return state
  }

  byLevel(): readonly number[] {
    return this.#levels.flat()
  }

  parent(state: number): number {
    return this.#parents[state] ?? 0
  }

  byte(state: number): number {
    return this.#bytes[state] ?? 0
  }
}
