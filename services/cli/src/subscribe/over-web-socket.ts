/** Subscribes over a WebSocket by `graphql-transport-ws`, with the client of the library graphql-ws. */
import type { IncomingMessage } from 'node:http'
import { type Client, createClient } from 'graphql-ws/client'
import { isRecord } from '@switchyard/values'
import { type ErrorEvent, WebSocket } from 'ws'
import { readAnswerBody } from '../registry/answer-body.ts'
import { connectionFailureReason, networkErrorCode, parseJson } from '../registry/transport.ts'
import { SubscriptionFailed, SubscriptionLost } from '../run/errors.ts'
import { keepNumber } from './exact-json.ts'
import { endedByErrors, refusedByAnswer, tooLarge } from './faults.ts'
import { asResult, type EventResult, MAX_EVENT_BYTES, type Subscription } from './subscription.ts'

const NO_SOCKETS =
  'It opens no WebSockets here. A router does with "subscriptions: { enabled: true }"; other servers may speak --protocol sse.'

/** Milliseconds that a handshake, and its acknowledgement, may take. */
const OPENING = 10_000
/** Milliseconds that the server has for closing. */
const CLOSING = 1000
/** Milliseconds of silence after which the system looks whether the server is still there. */
const SILENCE = 10_000
/** Events that wait before nothing more is read from the connection. */
const MOST_WAITING = 16
/** Bytes of answers to pings that a server may leave unread. */
const MOST_UNREAD = 1024 * 1024
/** Bytes of the answer to a refused handshake. */
const MOST_OF_REFUSAL = 64 * 1024

/**
 * Codes with which the same handshake or message would be refused again. 4403 is one before the
 * acknowledgement; afterwards a token may have expired, and the next handshake tells.
 */
const FATAL_CODES: ReadonlySet<number> = new Set([
  1002, 1003, 1007, 1008, 1009, 1010, 4400, 4401, 4406, 4409, 4429,
])
const FORBIDDEN = 4403
const INIT_TIMEOUT = 4408

/** The beginning of the codes that errors of the library ws have. */
const OF_WS = 'WS_ERR_'
const TOO_LARGE = `${OF_WS}UNSUPPORTED_MESSAGE_LENGTH`

/** The end of a subscription, as the library tells it; null if it is complete. */
type Ending = { readonly fault: Error | null }

export async function* overWebSocket(subscription: Subscription): AsyncGenerator<EventResult, undefined> {
  const received = new ReceivedResults()
  const connection = new Connection(subscription, received)
  const abort = (): void => connection.close()
  subscription.signal.addEventListener('abort', abort)
  try {
    if (subscription.signal.aborted) return undefined
    connection.subscribe()
    yield* received.results()
  } finally {
    subscription.signal.removeEventListener('abort', abort)
    connection.close()
  }
  return undefined
}

/** Results that have come and are not printed yet. While many wait, the connection is not read. */
class ReceivedResults {
  pause: () => void = () => {}
  resume: () => void = () => {}
  #waiting: EventResult[] = []
  #ending: Ending | null = null
  #wake = (): void => {}

  add(result: EventResult): void {
    this.#waiting.push(result)
    if (this.#waiting.length > MOST_WAITING) this.pause()
    this.#wake()
  }

  /** Only the first end counts. */
  end(fault: Error | null): void {
    this.#ending ??= { fault }
    this.#wake()
  }

  async *results(): AsyncGenerator<EventResult, undefined> {
    for (;;) {
      const taken = this.#waiting
      this.#waiting = []
      yield* taken
      if (this.#waiting.length > 0) continue
      if (this.#ending !== null) break
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      this.resume()
      await promise
    }
    if (this.#ending.fault !== null) throw this.#ending.fault
    return undefined
  }
}

/** One WebSocket with one operation on it. */
class Connection {
  readonly #subscription: Subscription
  readonly #received: ReceivedResults
  readonly #client: Client
  #socket: WebSocket | null = null
  #isAcknowledged = false
  #dispose = (): void => {}

  constructor(subscription: Subscription, received: ReceivedResults) {
    this.#subscription = subscription
    this.#received = received
    received.pause = () => this.#socket?.pause()
    received.resume = () => this.#resume()
    const { url, connectionInit, opened } = subscription
    this.#client = createClient({
      url: url.href,
      ...(connectionInit === null ? {} : { connectionParams: { ...connectionInit } }),
      webSocketImpl: this.#socketClass(),
      connectionAckWaitTimeout: OPENING,
      jsonMessageReviver: keepNumber,
      retryAttempts: 0,
      on: {
        connected: () => {
          this.#isAcknowledged = true
          opened()
        },
        // They come together, and the error says more.
        error: (error) => this.#over(this.#faultOf(error)),
        closed: (event) => this.#over(this.#faultOf(event)),
        message: () => this.#refuseUnread(),
      },
    })
  }

  subscribe(): void {
    this.#dispose = this.#client.subscribe(this.#subscription.operation, {
      next: (result) => this.#take(result),
      error: (error) => this.#over(this.#faultOf(error)),
      complete: () => this.#over(null),
    })
  }

  close(): void {
    this.#over(null)
  }

  #take(result: unknown): void {
    try {
      this.#received.add(asResult(result, () => JSON.stringify(result)))
    } catch (error) {
      this.#over(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #over(fault: Error | null): void {
    this.#received.end(fault)
    this.#dispose()
    // A paused connection would not see that the server closes it.
    this.#resume()
    if (this.#socket?.readyState === WebSocket.CONNECTING) this.#socket.terminate()
  }

  #resume(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.resume()
  }

  /** The class of sockets for the library, with what it has no option for. */
  #socketClass(): new (address: string | URL, protocols?: string | string[]) => WebSocket {
    const options = {
      headers: { ...this.#subscription.headers },
      handshakeTimeout: OPENING,
      closeTimeout: CLOSING,
      maxPayload: MAX_EVENT_BYTES,
      perMessageDeflate: false,
    }
    const opened = (socket: WebSocket) => this.#opened(socket)
    return class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols, options)
        opened(this)
      }
    }
  }

  #opened(socket: WebSocket): void {
    this.#socket = socket
    socket.on('unexpected-response', (request, response: IncomingMessage) => {
      void this.#refused(response).finally(() => request.destroy())
    })
    socket.on('upgrade', (response) => response.socket.setKeepAlive(true, SILENCE))
    socket.on('ping', () => this.#refuseUnread())
  }

  async #refused(response: IncomingMessage): Promise<void> {
    const text = await readAnswerBody(response, MOST_OF_REFUSAL).catch(() => '')
    const { statusCode = 0, headers } = response
    const more = { location: headers.location, otherwise: NO_SOCKETS }
    this.#over(refusedByAnswer(statusCode, parseJson(text), more))
  }

  /** Gives the connection up if the server sends pings and does not read the answers. */
  #refuseUnread(): void {
    if ((this.#socket?.bufferedAmount ?? 0) <= MOST_UNREAD) return
    this.#over(new SubscriptionFailed('The server does not read the answers to its pings.'))
    this.#socket?.terminate()
  }

  /** Says in words what the library reports: errors of GraphQL, the close of the socket, or an error. */
  #faultOf(reported: unknown): Error {
    if (Array.isArray(reported)) return endedByErrors(reported)
    if (isClosing(reported)) return this.#closedWith(reported.code, reported.reason)
    const error = isErrorEvent(reported) ? reported.error : reported
    const { url } = this.#subscription
    const code = networkErrorCode(error)
    if (code === TOO_LARGE) return tooLarge()
    if (code.startsWith(OF_WS) || code === '')
      return new SubscriptionFailed(
        `The server does not keep to graphql-transport-ws: ${connectionFailureReason(error)}. Another --protocol may work: sse or multipart.`,
      )
    return new SubscriptionLost(
      this.#isAcknowledged
        ? `The connection broke: ${connectionFailureReason(error)}.`
        : `${url.href} cannot be reached: ${connectionFailureReason(error)}.`,
    )
  }

  #closedWith(code: number, reason: string): Error {
    const why = reason === '' ? `${code}` : `${code} (${reason})`
    if (code === FORBIDDEN && !this.#isAcknowledged)
      return new SubscriptionFailed(
        `The server closed the WebSocket with ${why}. Send a token with --header "Authorization: Bearer …", or with --connection-init.`,
      )
    if (code === INIT_TIMEOUT && !this.#isAcknowledged)
      return new SubscriptionLost(`The server did not acknowledge the WebSocket within ${OPENING / 1000} s.`)
    const message = `The server closed the WebSocket with ${why}.`
    return FATAL_CODES.has(code) ? new SubscriptionFailed(message) : new SubscriptionLost(message)
  }
}

function isClosing(value: unknown): value is { readonly code: number; readonly reason: string } {
  return isRecord(value) && typeof value['code'] === 'number' && typeof value['reason'] === 'string'
}

function isErrorEvent(value: unknown): value is ErrorEvent {
  return isRecord(value) && 'error' in value
}
