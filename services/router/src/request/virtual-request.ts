/** A request that came as a part of something larger, and goes through all stages like others. */
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'

/**
 * Has the connection and the target of the message that it is a part of. All of its body is there, so that
 * nobody reads it as a stream.
 */
export abstract class VirtualRequest extends IncomingMessage {
  #body: string

  constructor(whole: IncomingMessage, headers: IncomingHttpHeaders, body: string) {
    super(whole.socket)
    this.method = 'POST'
    this.url = whole.url ?? '/'
    this.httpVersion = whole.httpVersion
    this.httpVersionMajor = whole.httpVersionMajor
    this.httpVersionMinor = whole.httpVersionMinor
    this.headers = headers
    this.complete = true
    this.#body = body
  }

  /** Returns the body, and keeps it no longer. */
  takeBody(): string {
    const body = this.#body
    this.#body = ''
    return body
  }

  /** Reads nothing from the connection. */
  override _read(): void {
    this.push(null)
  }

  /** Leaves the connection alone, since it belongs to others as well. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
  }
}
