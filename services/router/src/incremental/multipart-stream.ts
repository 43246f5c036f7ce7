/**
 * Writes parts to a client. The boundary that ends a part goes out with it: clients take a part for complete
 * when they see the next boundary, and would get each part only with the one after it. Parts after the first
 * that are there within one turn of the event loop go out in one write: on a busy router many are, and a
 * write costs more than making a small part.
 */
import type { ServerResponse } from 'node:http'
import { writePieces } from '../http/reply.ts'
import { FORMAT } from './negotiate-stream.ts'

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

/** Writes parts to a response, and asks for no more while the client does not read. */
export class MultipartStream {
  readonly #response: ServerResponse
  readonly #headers: Readonly<Record<string, string>>
  readonly #flow: { pause(): void; resume(): void }
  #parts = 0
  #paused = false
  #waiting = ''

  /** `flow` is told when the client does not keep up, and when it does again. */
  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    flow: { pause(): void; resume(): void },
    mayBeStored = true,
  ) {
    this.#response = response
    this.#headers = { ...headers, ...STREAM_HEADERS, ...(mayBeStored ? {} : NOT_STORED) }
    this.#flow = flow
  }

  get parts(): number {
    return this.#parts
  }

  /** Nothing may be written after the last one. A large part comes in pieces. */
  write(json: string | readonly Uint8Array[], isLast: boolean): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    const isFirst = this.#parts++ === 0
    if (isFirst) response.writeHead(200, this.#headers)
    const before = isFirst ? '--graphql' : ''
    if (typeof json !== 'string') return this.#writePieces(before, json, isLast)
    const part = `${before}${PART}${json}${BOUNDARY}`
    if (isLast) {
      response.end(`${this.#taken()}${part}--\r\n`)
      return
    }
    if (isFirst) return this.#send(part)
    if (this.#waiting === '') setImmediate(this.#sendWaiting)
    this.#waiting += part
    if (this.#waiting.length > WAIT_AT_MOST) this.#sendWaiting()
  }

  #writePieces(before: string, pieces: readonly Uint8Array[], isLast: boolean): void {
    const response = this.#response
    response.write(`${this.#taken()}${before}${PART}`)
    writePieces(response, pieces)
    if (response.destroyed) return
    if (isLast) response.end(`${BOUNDARY}--\r\n`)
    else this.#send(BOUNDARY)
  }

  #taken(): string {
    const waiting = this.#waiting
    this.#waiting = ''
    return waiting
  }

  readonly #sendWaiting = (): void => {
    const { destroyed, writableEnded } = this.#response
    if (this.#waiting !== '' && !destroyed && !writableEnded) this.#send(this.#taken())
  }

  #send(text: string): void {
    const response = this.#response
    if (response.write(text) || this.#paused) return
    this.#paused = true
    this.#flow.pause()
    response.once('drain', () => {
      this.#paused = false
      this.#flow.resume()
    })
  }
}
