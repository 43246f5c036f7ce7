/**
 * One HTTP request on a connection of its own, since a program that ends after a call has no use for a kept
 * one.
 *
 * By node:http: a client library would take longer to load than the registry takes to answer.
 */
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** A request, whole. */
export type HttpCall = {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, also while its answer is read. */
  readonly signal: AbortSignal
}

/** No answer came. `sent`: the connection stood, so the server may have got the request. */
export class RequestFailed extends Error {
  readonly sent: boolean

  constructor(sent: boolean, cause: unknown) {
    super('no answer came', { cause })
    this.sent = sent
  }
}

/**
 * Resolves with the head of the answer, whose body is to be read. Redirects are answers like others. Throws
 * RequestFailed.
 */
export function sendRequest({ method, url, headers, body, signal }: HttpCall): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let sent = false
  // Node.js does not do this for a DELETE.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const send = isSecure ? httpsRequest : httpRequest
  const outgoing = send(url, { method, headers: { ...headers, ...length }, signal, agent: false })
  outgoing.on('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => (sent = true))
  })
  outgoing.on('error', (error) => reject(new RequestFailed(sent, error)))
  outgoing.on('response', resolve)
  outgoing.end(body)
  return promise
}
