/**
 * Writes parts to a client. The boundary that ends a part goes out with it: clients take a part for complete
 * when they see the next boundary, and would get each part only with the one after it. Parts after the first
 * that are there within one turn of the event loop go out in one write: on a busy router many are, and a
 * write costs more than making a small part.
 */
import type { ClientResponse } from '../http/client-response.ts'
import { type PartSink, PlainParts } from '../http/part-sink.ts'
import { FORMAT, type PartFlow, type PartStream } from '../request/part-stream.ts'

/** Headers of every answer in parts. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': `multipart/mixed; boundary="graphql"; incrementalSpec=${FORMAT}`,
  'Cache-Control': 'no-cache',
  // Proxies of the nginx family collect an answer unless they are told not to.
  'X-Accel-Buffering': 'no',
}

const NOT_STORED = { 'Cache-Control': 'no-cache, no-store' }

const PART = '\r\nContent-Type: application/json\r\n\r\n'
const BOUNDARY = '\r\n--graphql'

/**
 * Characters that may wait for the end of the turn; what is more tells at once whether the client keeps up.
 */
const WAIT_AT_MOST = 16_384

/** Writes parts, and asks for no more while the client does not read. */
export class MultipartStream implements PartStream {
  readonly #sink: PartSink
  readonly #headers: () => Record<string, string | string[]>
  readonly #flow: PartFlow
  #parts = 0
  #paused = false
  #waiting = ''

  /**
   * `headers`: asked for with the first part. `flow` is told when the client does not keep up, and when it
   * does again.
   */
  constructor(
    response: ClientResponse | PartSink,
    headers: () => Readonly<Record<string, string | string[]>>,
    flow: PartFlow,
    mayBeStored = true,
  ) {
    this.#sink = 'begin' in response ? response : new PlainParts(response)
    this.#headers = () => ({ ...headers(), ...STREAM_HEADERS, ...(mayBeStored ? {} : NOT_STORED) })
    this.#flow = flow
  }

  get parts(): number {
    return this.#parts
  }

  /** Writes a part. Nothing may be written after the last one. A large part comes in pieces. */
  write(json: string | readonly Uint8Array[], isLast: boolean): void {
    const sink = this.#sink
    if (sink.isOver) return
    const isFirst = this.#parts++ === 0
    if (isFirst) sink.begin(this.#headers())
    const before = isFirst ? '--graphql' : ''
    if (typeof json !== 'string') return this.#writePieces(before, json, isLast)
    const part = `${before}${PART}${json}${BOUNDARY}`
    if (isLast) {
      sink.end(`${this.#taken()}${part}--\r\n`)
      return
    }
    if (isFirst) return this.#send(part)
    if (this.#waiting === '') setImmediate(this.#sendWaiting)
    this.#waiting += part
    if (this.#waiting.length > WAIT_AT_MOST) this.#sendWaiting()
  }

  #writePieces(before: string, pieces: readonly Uint8Array[], isLast: boolean): void {
    const sink = this.#sink
    sink.write(`${this.#taken()}${before}${PART}`)
    // One of them may be what is too much for its client.
    for (const piece of pieces) if (!sink.isOver) sink.write(piece)
    if (sink.isOver) return
    if (isLast) sink.end(`${BOUNDARY}--\r\n`)
    else this.#send(BOUNDARY)
  }

  #taken(): string {
    const waiting = this.#waiting
    this.#waiting = ''
    return waiting
  }

  readonly #sendWaiting = (): void => {
    if (this.#waiting !== '' && !this.#sink.isOver) this.#send(this.#taken())
  }

  #send(text: string): void {
    if (this.#sink.write(text) || this.#paused) return
    this.#paused = true
    this.#flow.pause()
    this.#sink.onceDrained(() => {
      this.#paused = false
      this.#flow.resume()
    })
  }
}
