/** The errors of connections to subgraphs. Their messages are for logs, never for clients. */

/** The answer breaks the rules of HTTP/1.1, so that nobody can be sure where it ends or what it says. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'

  /** `problem` says what is wrong with the answer, as the end of a sentence that begins with "The answer". */
  constructor(problem: string) {
    super(`The answer ${problem}; the connection was closed.`)
  }
}

/** The subgraph closed the connection before its answer was complete. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError'

  constructor() {
    super('The other side closed the connection before its answer was complete.')
  }
}

/** The other side has ended one call, while its HTTP/2 connection goes on. */
export class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError'

  /** `code` is the error code of HTTP/2 (RFC 9113, section 7). */
  constructor(code: number) {
    super(`The other side ended the stream before its answer was complete (HTTP/2 error code ${code}).`)
  }
}

/** The other side of an HTTP/2 connection did not process a call, however often it was sent. */
export class CallNotTakenError extends Error {
  override readonly name = 'CallNotTakenError'

  constructor(tries: number) {
    super(
      `The other side took the call on none of ${tries} tries: it refused the stream, or ended the connection before it looked at the call.`,
    )
  }
}

/** TLS was agreed on, but HTTP/2 was not. */
export class Http2NotSpokenError extends Error {
  override readonly name = 'Http2NotSpokenError'

  constructor() {
    super('The other side does not speak HTTP/2, which subgraphs.http2 asks for.')
  }
}

/** No connection could be made within `subgraphs.connect_timeout`. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError'

  constructor(milliseconds: number) {
    super(`No connection was made within ${milliseconds} ms (subgraphs.connect_timeout).`)
  }
}

/** The pool takes no more requests: no composition uses its origin any more, or the router stops. */
export class PoolClosedError extends Error {
  override readonly name = 'PoolClosedError'

  constructor() {
    super('The connections to this origin are closed.')
  }
}

/** A request cannot be sent as it is. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'
}

/** Returns whether a Unix socket refused a connection because too many wait to be accepted. */
export function isQueueFull(error: Error): boolean {
  return 'code' in error && error.code === 'EAGAIN'
}
