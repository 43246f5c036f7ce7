/**
 * Decompresses the answer of a subgraph as it arrives, in the threads of libuv's pool. What comes out is
 * counted by who receives it, so that an answer which unpacks to more than is allowed is given up with the
 * first piece that is too much.
 */
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'

/** A content coding, by its name in HTTP. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** Is told what becomes of an answer. */
export interface DecoderSink {
  decoded(bytes: Buffer): void
  /** All of it was decoded. */
  ended(): void
  /** `problem`: what was sent, as the object of a sentence. */
  failed(problem: string): void
  /** It takes more bytes. */
  drained(): void
}

/**
 * Up to this size an answer may unpack to whatever multiple of its size: lists of equal objects do. Bytes.
 */
const RATIO_FROM = 8 * 1024 * 1024

/** Beyond it, an answer was made to cost more than it costs to send. A gzip of nothing but zeros has 1030. */
const MAX_RATIO = 500

/** What a zstd frame may demand for its window, as RFC 8878 recommends: 8 MiB, by its logarithm. */
const MAX_WINDOW = 23

const DECOMPRESSORS: Readonly<Record<Coding, () => Transform>> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW } }),
}

/** Decodes one answer. */
export class AnswerDecoder {
  readonly #stream: Transform
  #received = 0
  #made = 0

  constructor(coding: Coding, sink: DecoderSink) {
    this.#stream = DECOMPRESSORS[coding]()
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

  /** false: it takes no more until it is drained. */
  write(bytes: Buffer): boolean {
    this.#received += bytes.length
    return this.#stream.write(bytes)
  }

  /** It cannot take more now. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain
  }

  /** The answer is complete. */
  end(): void {
    this.#stream.end()
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Nobody is told anything any more. */
  destroy(): void {
    this.#stream.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain')
    this.#stream.destroy()
  }
}

/**
 * By which of `accepted` an answer is coded; null: by none. A text: what was sent instead, as the object of a
 * sentence. `header`: the value of `Content-Encoding`.
 */
export function codingOf(
  header: string | readonly string[] | undefined,
  accepted: readonly Coding[],
): Coding | null | { readonly problem: string } {
  if (header === undefined) return null
  const name = String(header).trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = accepted.find((one) => one === (name === 'x-gzip' ? 'gzip' : name))
  return coding ?? { problem: 'an answer in a content coding that was not asked for' }
}
