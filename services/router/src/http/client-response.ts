/** The answer to a request of a client, as far as all are alike. */
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'

/** A response of `node:http`, or what takes the answer to a part of something larger. */
export interface ClientResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Whether all of the answer was handed to the system. */
  readonly writableFinished: boolean
  readonly destroyed: boolean
  readonly errored: Error | null
  shouldKeepAlive: boolean
  writeContinue(): void
  flushHeaders(): void
  writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): unknown
  /** Returns false if the client does not keep up. */
  write(chunk: string | Uint8Array): boolean
  end(chunk?: string | Uint8Array): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
  once(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
}
