/** A request that came as a part of something larger, and goes through all stages like others. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request of a client, as far as all are alike. */
export type ClientRequest = IncomingMessage | VirtualRequest

/**
 * Has the connection and the target of the message that it is a part of. All of its body is there, so that it
 * is no stream.
 */
export abstract class VirtualRequest {
  readonly method = 'POST'
  readonly url: string
  readonly httpVersion: string
  readonly httpVersionMajor: number
  readonly headers: IncomingHttpHeaders
  readonly socket: IncomingMessage['socket']
  #body: string

  constructor(whole: ClientRequest, headers: IncomingHttpHeaders, body: string) {
    this.url = whole.url ?? '/'
    this.httpVersion = whole.httpVersion
    this.httpVersionMajor = whole.httpVersionMajor
    this.headers = headers
    this.socket = whole.socket
    this.#body = body
  }

  /** Does nothing: no rest of the body has to be read before it is answered. */
  resume(): void {}

  /** Returns the body, and keeps it no longer. */
  takeBody(): string {
    const body = this.#body
    this.#body = ''
    return body
  }
}
