/**
 * Data of a trace: JSON text, or what it is made of once it has to be read or shown: a value that nobody
 * changes any more, or bytes that were received.
 */
import type { Meter, Sliced } from './meter.ts'
import { REDACTED } from './spans.ts'
import { withoutMark } from '../../call/in-flight/read-json.ts'
import type { JsonValues } from './json-values.ts'

/** Makes text and sizes of data. */
export type JsonMaking = { readonly values: JsonValues; readonly meter: Meter }

type Source =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `isText`: they are no JSON, and become a string. */
  | { readonly kind: 'bytes'; readonly chunks: readonly Buffer[]; readonly isText: boolean }

export class RecordedJson {
  #source: Source | null
  #text: string | null
  #size: number | null = null

  private constructor(text: string | null, source: Source | null) {
    this.#text = text
    this.#source = source
  }

  static ofText(text: string): RecordedJson {
    return new RecordedJson(text, null)
  }

  static ofValue(value: unknown): RecordedJson {
    return new RecordedJson(null, { kind: 'value', value })
  }

  /** Records bytes that are known to be JSON. */
  static ofBytes(chunks: readonly Buffer[]): RecordedJson {
    return new RecordedJson(null, { kind: 'bytes', chunks, isText: false })
  }

  /**
   * Records bytes that are no JSON. Bytes that are not UTF-8 could not be searched for secrets, and are not
   * shown.
   */
  static ofTextBytes(chunks: readonly Buffer[]): RecordedJson {
    return new RecordedJson(null, { kind: 'bytes', chunks, isText: true })
  }

  /** Bytes of JSON; to be measured before. */
  get size(): number {
    return (this.#size ??= Buffer.byteLength(this.#text ?? ''))
  }

  *measure(making: JsonMaking): Sliced<void> {
    if (this.#text !== null) return
    if (this.#source?.kind === 'value' && isSmall(this.#source.value)) this.#writeSmall(this.#source.value)
    else if (this.#source?.kind === 'value') this.#size ??= yield* making.values.sizeOf(this.#source.value)
    else yield* this.write(making)
  }

  #writeSmall(value: unknown): void {
    this.#text = JSON.stringify(value) ?? ''
    this.#source = null
  }

  /** The text, or null if it was not written yet. */
  get text(): string | null {
    return this.#text
  }

  /** Returns the text if it is short enough to be written in one go, or null. */
  smallText(): string | null {
    const source = this.#source
    if (this.#text === null && source?.kind === 'value' && isSmall(source.value))
      this.#writeSmall(source.value)
    else if (this.#text === null && source?.kind === 'bytes' && isSmallJson(source)) {
      this.#text = textOf(source.chunks)
      this.#source = null
    }
    return this.#text === null || this.#text.length > PIECE ? null : this.#text
  }

  *write({ values, meter }: JsonMaking): Sliced<string> {
    const source = this.#source
    if (source?.kind === 'value' && isSmall(source.value)) this.#writeSmall(source.value)
    else if (this.#text === null && source !== null)
      this.#text =
        source.kind === 'value' ? yield* values.textOf(source.value) : yield* textOfBytes(source, meter)
    this.#source = null
    return this.#text ?? 'null'
  }
}

/** Members and characters of a value that is written in one go. */
const SMALL = 1 << 12
const DEEPEST = 100

/** Whether a value has so little in it that it is written in one go, without being measured before. */
function isSmall(value: unknown): boolean {
  let left = SMALL
  const fits = (item: unknown, depth: number): boolean => {
    left -= typeof item === 'string' ? item.length + 1 : 1
    if (typeof item !== 'object' || item === null) return left >= 0
    if (depth > DEEPEST || 'toJSON' in item) return false
    if (Array.isArray(item)) return left >= item.length && item.every((inner) => fits(inner, depth + 1))
    for (const key in item) {
      left -= key.length
      if (left < 0 || !fits(Reflect.get(item, key), depth + 1)) return false
    }
    return true
  }
  return fits(value, 0)
}

/** Returns the bytes of a value as JSON, with data that was measured. */
export function sizeOf(value: unknown): number {
  let ofData = 0
  const rest = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof RecordedJson)) return item
    ofData += item.size - NULL
    return null
  })
  return rest === undefined ? 0 : Buffer.byteLength(rest) + ofData
}

const NULL = 'null'.length
const PIECE = 1 << 16

type Bytes = Pick<Extract<Source, { kind: 'bytes' }>, 'chunks' | 'isText'>

function isSmallJson({ chunks, isText }: Bytes): boolean {
  return !isText && chunks.reduce((sum, { length }) => sum + length, 0) <= PIECE
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
  return withoutMark(bytes.toString())
}

function* textOfBytes({ chunks, isText }: Bytes, meter: Meter): Sliced<string> {
  // To make a decoder takes longer than to decode a usual answer.
  if (isSmallJson({ chunks, isText })) return textOf(chunks)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const pieces: string[] = []
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = decodedPiece(decoder, chunk.subarray(at, at + PIECE))
      if (piece === null) return JSON.stringify(REDACTED)
      const text = pieces.length === 0 ? withoutMark(piece) : piece
      pieces.push(isText ? JSON.stringify(text).slice(1, -1) : text)
      if (meter.take(PIECE / 4)) yield
    }
  // The last character may be broken off.
  if (isText && decodedPiece(decoder, null) === null) pieces.push('\ufffd')
  return isText ? `"${pieces.join('')}"` : pieces.join('')
}

/** Decodes a piece. `bytes` is null at the end. Returns null if the bytes are no text. */
function decodedPiece(decoder: TextDecoder, bytes: Buffer | null): string | null {
  if (bytes?.includes(0) === true) return null
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    return null
  }
}
