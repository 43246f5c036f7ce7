/** Compresses answers to clients, as far as they accept it and there is room for it. */
import { negotiateCoding } from '@switchyard/built-page'
import type { ClientResponse } from '../../http/client-response.ts'
import type { CompressionConfig } from './settings.ts'
import type { CompressionMetrics } from './metrics.ts'
import { createCompressor } from './coding-streams.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'
import { CompressedParts } from './compressed-parts.ts'
import { CompressionLine } from './compression-line.ts'

/** The content of an answer: text, or UTF-8 in pieces. */
export type Content = string | readonly Uint8Array[]

/** A compressed answer. */
export type Compressed = { readonly coding: ContentCoding; readonly pieces: readonly Uint8Array[] }

/**
 * Compressed copies of content that several clients get, as they were made for the first client of each
 * coding.
 */
export type CompressedCopies = Map<ContentCoding, Promise<Compressed | null> | null>

/** Answers in parts that are compressed at a time; each takes some 300 KiB. */
const MAX_STREAMS = 100

/** Compresses the answers of one router. */
export class Compression {
  readonly #minSize: number
  readonly #codings: readonly ContentCoding[]
  readonly #metrics: CompressionMetrics
  readonly #line = new CompressionLine()
  #streams = 0

  constructor({ minSize, encodings }: CompressionConfig, metrics: CompressionMetrics) {
    this.#minSize = minSize
    this.#codings = encodings
    this.#metrics = metrics
  }

  /**
   * Compresses content. Returns null if it is sent as it is; otherwise a promise, which is null if the
   * content did not become smaller, and never rejects. `accepted` is the client's header, `copies` are those
   * of this content.
   */
  compress(
    content: Content,
    accepted: string | undefined,
    copies: CompressedCopies | null,
  ): Promise<Compressed | null> | null {
    // A text has no more characters than bytes.
    if (typeof content === 'string' && content.length < this.#minSize) return null
    const coding = negotiateCoding(accepted, this.#codings)
    if (coding === null) return null
    const before = copies?.get(coding)
    if (before !== undefined) return before
    const compressed = this.#compress(content, coding)
    copies?.set(coding, compressed)
    return compressed
  }

  /**
   * Begins to send an answer in parts, compressed. Returns null if it is sent as it is. Only gzip is used:
   * the other codings take megabytes for as long as an answer lasts.
   */
  parts(response: ClientResponse, accepted: string | undefined): CompressedParts | null {
    const codings = this.#codings.filter((coding) => coding === 'gzip')
    if (negotiateCoding(accepted, codings) === null) return null
    if (this.#streams >= MAX_STREAMS) {
      this.#metrics.skipped()
      return null
    }
    this.#streams++
    this.#metrics.compressed('gzip')
    response.once('close', () => this.#streams--)
    return new CompressedParts(response)
  }

  #compress(content: Content, coding: ContentCoding): Promise<Compressed | null> | null {
    const pieces = typeof content === 'string' ? [Buffer.from(content)] : content
    const bytes = sizeOf(pieces)
    if (bytes < this.#minSize) return null
    const compressed = this.#line.enter(bytes, async () => run(pieces, bytes, coding).catch(() => null))
    if (compressed === null) this.#metrics.skipped()
    else this.#metrics.compressed(coding)
    return compressed
  }
}

/** Compresses content. Resolves to null if it did not become smaller. */
function run(
  pieces: readonly Uint8Array[],
  bytes: number,
  coding: ContentCoding,
): Promise<Compressed | null> {
  return new Promise((resolve, reject) => {
    const compressor = createCompressor(coding, bytes)
    const made: Uint8Array[] = []
    compressor
      .on('data', (piece: Uint8Array) => void made.push(piece))
      .on('end', () => resolve(sizeOf(made) < bytes ? { coding, pieces: made } : null))
      .on('error', reject)
    for (const piece of pieces) compressor.write(piece)
    compressor.end()
  })
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
