/**
 * A map by texts that clients choose, of any length.
 *
 * V8 hashes texts of more than 16,383 characters by their length alone. In a `Map`, all those of one length
 * stand in one line, and a look-up compares one after the other: 23 ms among 6,500 documents of 20,000
 * characters that differ at their end, which is time that one client takes from all. So long texts are found
 * by their SHA-256, which takes 40 µs for 20,000 characters, and 0.6 ms for a million.
 */
import { hash } from 'node:crypto'

/** Characters of the longest text of which V8 hashes all (`String::kMaxHashCalcLength`). */
const LONGEST_HASHED = 16_383

/** Values by text, in the order in which the texts were added, short ones first. */
export class TextMap<Value> {
  readonly #short = new Map<string, Value>()
  /** Apart from the short ones: a client may send the digest of a long text as a text. */
  readonly #long = new Map<string, Value>()

  get(text: string): Value | undefined {
    return text.length <= LONGEST_HASHED ? this.#short.get(text) : this.#long.get(digestOf(text))
  }

  set(text: string, value: Value): void {
    if (text.length <= LONGEST_HASHED) this.#short.set(text, value)
    else this.#long.set(digestOf(text), value)
  }

  delete(text: string): boolean {
    return text.length <= LONGEST_HASHED ? this.#short.delete(text) : this.#long.delete(digestOf(text))
  }

  values(): readonly Value[] {
    return [...this.#short.values(), ...this.#long.values()]
  }

  clear(): void {
    this.#short.clear()
    this.#long.clear()
  }

  get size(): number {
    return this.#short.size + this.#long.size
  }
}

/** Lone surrogates are one byte pair each, unlike in UTF-8, where they would all be the same. */
function digestOf(text: string): string {
  return hash('sha256', Buffer.from(text, 'utf16le'), 'base64')
}
