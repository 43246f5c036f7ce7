/** Decompresses a body of Brotli when it is complete, in its turn among those of other clients. */
import { HttpError } from '../../errors/http-error.ts'
import type { Client } from '../../fairness/client.ts'
import {
  type BodyDecoder,
  bodyGoesOn,
  invalidBody,
  mostUnpacked,
  type UnpackedSink,
  unpacksBeyond,
  unpacksToTooMuch,
} from './body-decoder.ts'
import type { BrotliLine, Unpacked } from './brotli-line.ts'

/** The largest window that a body may demand, by its logarithm: 4 MiB, the default of compressors. */
const MAX_WINDOW = 22

/** The client that sends a body, the limit for its unpacked bytes, and the line of all such bodies. */
export type BrotliBody = { readonly client: Client; readonly limit: number; readonly line: BrotliLine }

/** Decompresses one body. */
export class BrotliDecoder implements BodyDecoder {
  readonly #body: BrotliBody
  readonly #sink: UnpackedSink
  #chunks: Buffer[] = []
  #received = 0
  #waiting: Disposable | null = null
  #isOver = false

  constructor(body: BrotliBody, sink: UnpackedSink) {
    this.#body = body
    this.#sink = sink
  }

  write(bytes: Buffer): void {
    if (this.#isOver) return
    this.#received += bytes.length
    this.#chunks.push(bytes)
    this.#sink.held(bytes.length)
  }

  end(): void {
    if (this.#isOver) return
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    if (bytes.length === 0) return this.#fail(invalidBody('br'))
    if (windowOf(bytes) > MAX_WINDOW) return this.#fail(windowTooLarge())
    const { client, limit, line } = this.#body
    const maxLength = Math.min(limit, mostUnpacked(bytes.length))
    this.#waiting = line.unpack(client, bytes, maxLength, (result) => this.#take(result))
  }

  destroy(): void {
    this.#isOver = true
    this.#chunks = []
    this.#waiting?.[Symbol.dispose]()
  }

  #take(result: Unpacked): void {
    if (this.#isOver) return
    if (result.kind === 'invalid') this.#fail(invalidBody('br'))
    else if (result.kind === 'too-large') this.#fail(this.#tooLarge())
    else if (result.used < this.#received) this.#fail(bodyGoesOn('br'))
    else {
      this.#isOver = true
      this.#sink.held(-this.#received)
      this.#sink.unpacked(result.bytes)
      this.#sink.ended()
    }
  }

  #tooLarge(): HttpError {
    const { limit } = this.#body
    return limit < mostUnpacked(this.#received) ? unpacksBeyond(limit) : unpacksToTooMuch()
  }

  #fail(error: HttpError): void {
    this.destroy()
    this.#sink.failed(error)
  }
}

/**
 * Returns the logarithm of the window that the body demands, if it is above 17; otherwise 17 or less. The
 * first bits say it: https://www.rfc-editor.org/rfc/rfc7932#section-9.1
 */
function windowOf(bytes: Buffer): number {
  const first = bytes[0] ?? 0
  return (first & 1) === 0 ? 16 : 17 + ((first >> 1) & 7)
}

function windowTooLarge(): HttpError {
  return new HttpError(
    'BAD_REQUEST',
    `The request body demands a window of more than 4 MiB to be unpacked. Expected a window of ${MAX_WINDOW} bits at most, which is the default of Brotli.`,
  )
}
