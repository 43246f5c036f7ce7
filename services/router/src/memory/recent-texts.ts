/**
 * Results by text, where clients choose the texts, for as long as the texts are used and there is room.
 *
 * There are two generations of half the room each. When the young one is full, it becomes the old one, and
 * the entries of the old one that nobody used in the meantime are forgotten. So a look-up does not reorder a
 * list, and nothing has to be searched for when there is no room.
 */
import { ownText, textSize } from './own-text.ts'
import { TextMap } from './text-map.ts'

/** Approximate size of an entry without its text, in bytes. */
const PER_ENTRY = 200

type Entry<Value> = { readonly value: Value; readonly bytes: number }

/** Values by text, within a number of bytes. */
export class RecentTexts<Value> {
  readonly #room: number
  #young = new TextMap<Entry<Value>>()
  #old = new TextMap<Entry<Value>>()
  #youngBytes = 0
  #oldBytes = 0

  /** `maxBytes`: of both generations, roughly. */
  constructor(maxBytes: number) {
    this.#room = maxBytes / 2
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  /** Returns the value for a text, or undefined if it is not known any more. */
  get(text: string): Value | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young.value
    const old = this.#old.get(text)
    if (old !== undefined) this.#keep(text, old)
    return old?.value
  }

  /** Stores a value, unless it would take more than a whole generation. */
  set(text: string, value: Value): void {
    const bytes = textSize(text) + PER_ENTRY
    if (bytes <= this.#room && this.#young.get(text) === undefined)
      this.#keep(ownText(text), { value, bytes })
  }

  #keep(text: string, entry: Entry<Value>): void {
    if (this.#youngBytes + entry.bytes > this.#room) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new TextMap()
      this.#youngBytes = 0
    }
    this.#young.set(text, entry)
    this.#youngBytes += entry.bytes
  }
}
