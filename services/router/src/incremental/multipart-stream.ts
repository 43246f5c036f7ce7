/**
 * Writes parts to a client, each with one write. The boundary that ends a part goes out with it: clients take a part for
 * complete when they see the next boundary, and would get each part only with the one after it.
 */
import type { ServerResponse } from 'node:http'
import { FORMAT } from './negotiate-stream.ts'

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': `multipart/mixed; boundary="graphql"; incrementalSpec=${FORMAT}`,
  'Cache-Control': 'no-cache',
  // Proxies of the nginx family collect an answer unless they are told not to.
  'X-Accel-Buffering': 'no',
}

const NOT_STORED = { 'Cache-Control': 'no-cache, no-store' }

const PART = '\r\nContent-Type: application/json\r\n\r\n'
const BOUNDARY = '\r\n--graphql'

export class MultipartStream {
  readonly #response: ServerResponse
  readonly #headers: Readonly<Record<string, string>>
  readonly #flow: { pause(): void; resume(): void }
  #parts = 0
  #paused = false

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

  /** Nothing may be written after the last one. */
  write(json: string, isLast: boolean): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    const isFirst = this.#parts++ === 0
    if (isFirst) response.writeHead(200, this.#headers)
    const part = `${isFirst ? '--graphql' : ''}${PART}${json}${BOUNDARY}`
    if (isLast) {
      response.end(`${part}--\r\n`)
      return
    }
    if (response.write(part) || this.#paused) return
    this.#paused = true
    this.#flow.pause()
    response.once('drain', () => {
      this.#paused = false
      this.#flow.resume()
    })
  }
}
