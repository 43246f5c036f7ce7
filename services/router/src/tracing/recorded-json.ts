/**
 * A piece of a trace that is JSON already: what was sent or received, kept as its text. It is shown as it is, and read only
 * when something in it has to be hidden. Most traces are never read.
 */
import { parseExactly } from '@switchyard/engine'

const UNREAD = Symbol('unread')

export class RecordedJson {
  #text: string | null
  #value: unknown

  private constructor(text: string | null, value: unknown) {
    this.#text = text
    this.#value = value
  }

  /** Of a text that is known to be JSON. */
  static ofText(text: string): RecordedJson {
    return new RecordedJson(text, UNREAD)
  }

  /** Of a value that nobody changes any more. */
  static ofValue(value: unknown): RecordedJson {
    return new RecordedJson(null, value)
  }

  /** Throws RangeError for a value that nests too deeply to be written. */
  get text(): string {
    return (this.#text ??= JSON.stringify(this.#value))
  }

  /** With all digits of its numbers. */
  get value(): unknown {
    if (this.#value === UNREAD) this.#value = parseExactly(this.text)
    return this.#value
  }
}

/** The value of a piece that may be kept as text. */
export function valueOf(piece: unknown): unknown {
  return piece instanceof RecordedJson ? piece.value : piece
}
