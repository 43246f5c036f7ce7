import { isUtf8 } from 'node:buffer'
import { TooManyPiecesError } from '@switchyard/service-kit'
import { ClientGoneError } from '../../errors/client-gone-error.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Exchange } from '../../request/exchange.ts'
import { BODY_MISSED, type UnreadRequests } from '../../listen/unread-requests.ts'

type BodyOf = Pick<Exchange, 'request' | 'response' | 'client' | 'size' | 'refuseBy'>

/**
 * Reads the body, and resolves with the result of `read` for its text. A body is refused as soon as it is
 * known to exceed the limit, and one that does not arrive is refused if too many others wait.
 */
export function readBody<Read>(
  exchange: BodyOf,
  limit: number,
  unread: UnreadRequests,
  read: (text: string) => Read | Promise<Read>,
): Promise<Read> {
  const { request, response } = exchange
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  if (CONTINUE.test(request.headers.expect ?? '')) response.writeContinue()
  return new Promise((resolve, reject) => {
    const collected = (text: string): void => resolve(read(text))
    new Body(exchange, limit, collected, reject).waitIn(unread)
  })
}

/** A body on its way. One of its two callbacks is called, once. */
class Body {
  readonly #exchange: BodyOf
  readonly #collected: (text: string) => void
  readonly #failed: (error: unknown) => void
  readonly #chunks: Buffer[] = []
  #length = 0
  /** Whether nothing is collected any more. The rest of the body is read and dropped. */
  #isOver = false
  #waiting: Disposable | null = null

  /** `collected` may throw. */
  constructor(
    exchange: BodyOf,
    limit: number,
    collected: (text: string) => void,
    failed: (error: unknown) => void,
  ) {
    this.#exchange = exchange
    this.#collected = collected
    this.#failed = failed
    const { request } = exchange
    exchange.refuseBy((error) => this.#fail(error))
    request.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      if (this.#length > limit) this.#fail(tooLarge(limit))
      else this.#take(chunk)
    })
    // HTTP/2 also ends what was broken off.
    request.on('end', () => (request.complete ? this.#end() : this.#fail(CLIENT_GONE)))
    request.on('error', (error) => this.#failToRead(error))
    request.on('close', () => {
      if (!request.complete) this.#fail(CLIENT_GONE)
    })
  }

  /** Counts the body as waiting until it is over. */
  waitIn(unread: UnreadRequests): void {
    const { request, client } = this.#exchange
    this.#waiting = unread.add(client, (error) => {
      this.#fail(error)
      request.emit(BODY_MISSED)
    })
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#exchange.size.received(chunk.length)
  }

  #end(): void {
    if (this.#isOver) return
    this.#stop()
    const [only] = this.#chunks
    const bytes = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
    try {
      this.#collected(textOf(bytes))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failToRead(error: Error): void {
    if (!(error instanceof TooManyPiecesError)) return this.#fail(error)
    // Nothing more is read from a connection of HTTP/1.
    this.#exchange.response.shouldKeepAlive = false
    this.#fail(new HttpError('BAD_REQUEST', error.message))
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#stop()
    this.#chunks.length = 0
    this.#failed(error)
  }

  #stop(): void {
    this.#isOver = true
    this.#waiting?.[Symbol.dispose]()
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError('PAYLOAD_TOO_LARGE', `The request body is larger than the ${limit} bytes allowed.`)
}

/** As node:http recognizes it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  // A replacement character that was not sent as one means that the bytes were not UTF-8.
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    throw new HttpError('BAD_REQUEST', 'The request body is not UTF-8 text.')
  }
  return text
}

/** Where it comes from says nothing, and clients may leave by the thousand. */
const CLIENT_GONE = new ClientGoneError('The client left before its request was complete.')
