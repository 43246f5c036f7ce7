/** A request that came as a part of something larger, and goes through all stages like others. */
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Has the connection and the target of the message that it is a part of, and a text as its body. */
export abstract class VirtualRequest extends IncomingMessage {
  constructor(whole: IncomingMessage, headers: IncomingHttpHeaders, body: string) {
    super(whole.socket)
    this.method = 'POST'
    this.url = whole.url ?? '/'
    this.httpVersion = whole.httpVersion
    this.httpVersionMajor = whole.httpVersionMajor
    this.httpVersionMinor = whole.httpVersionMinor
    this.headers = headers
    this.complete = true
    this.push(Buffer.from(body))
    this.push(null)
  }

  /** Reads nothing from the connection, since all of the body is there. */
  override _read(): void {}

  /** Leaves the connection alone, since it belongs to others as well. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
  }
}
