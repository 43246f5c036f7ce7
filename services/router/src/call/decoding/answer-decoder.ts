/**
 * Decompresses the answer of a subgraph as it arrives, in the threads of libuv's pool. The receiver counts
 * the bytes that come out, so that an answer which unpacks to more than is allowed is given up with the first
 * piece that is too much.
 */
import type { Transform } from 'node:stream'
import { createDecompressor } from '../../http/decompressors.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'

/** Receives the decoded bytes of an answer. */
export interface DecoderSink {
  decoded(bytes: Buffer): void
  /** All bytes of the answer were decoded. */
  ended(): void
  /** The answer cannot be decoded. `problem` names what was sent, as the object of a sentence. */
  failed(problem: string): void
  /** The decoder takes more bytes. */
  drained(): void
}

/** Bytes up to which an answer may unpack to any multiple of its size, as lists of equal objects do. */
const RATIO_FROM = 8 * 1024 * 1024

/**
 * The largest ratio of decoded to received bytes beyond `RATIO_FROM`. An answer with a higher one was made to
 * cost more than it costs to send: a gzip of nothing but zeros reaches 1030.
 */
const MAX_RATIO = 500

/** Decodes one answer. */
export class AnswerDecoder {
  readonly #stream: Transform
  #received = 0
  #made = 0

  constructor(coding: ContentCoding, sink: DecoderSink) {
    this.#stream = createDecompressor(coding)
      .on('data', (bytes: Buffer) => {
        this.#made += bytes.length
        if (this.#made > RATIO_FROM && this.#made > this.#received * MAX_RATIO)
          sink.failed(`an answer that unpacks to more than ${MAX_RATIO} times its size`)
        else sink.decoded(bytes)
      })
      .on('end', () => sink.ended())
      .on('error', () => sink.failed(`an answer that is no complete, valid ${coding}`))
      .on('drain', () => sink.drained())
  }

  /** Decodes further bytes. Returns false if the decoder takes no more until it is drained. */
  write(bytes: Buffer): boolean {
    this.#received += bytes.length
    return this.#stream.write(bytes)
  }

  /** True if the decoder cannot take more bytes now. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain
  }

  /** Tells the decoder that the answer is complete. */
  end(): void {
    this.#stream.end()
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Stops decoding. The receiver is told nothing any more. */
  destroy(): void {
    this.#stream.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain')
    this.#stream.destroy()
  }
}

/**
 * Returns the coding of an answer if it is one of `accepted`, or null if the answer is not coded. Another
 * coding is returned as a problem, which names what was sent as the object of a sentence. `header` is the
 * value of `Content-Encoding`.
 */
export function codingOf(
  header: string | readonly string[] | undefined,
  accepted: readonly ContentCoding[],
): ContentCoding | null | { readonly problem: string } {
  if (header === undefined) return null
  const name = String(header).trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = accepted.find((one) => one === (name === 'x-gzip' ? 'gzip' : name))
  return coding ?? { problem: 'an answer in a content coding that was not asked for' }
}
