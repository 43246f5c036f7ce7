import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { TooManyPiecesError } from '@switchyard/service-kit'
import {
  type BodyDecoder,
  type UnpackedSink,
  unpacksBeyond,
} from '../../concerns/compression/body-decoder.ts'
import { BrotliDecoder } from '../../concerns/compression/brotli-decoder.ts'
import type { BrotliLine } from '../../concerns/compression/brotli-line.ts'
import { StreamedDecoder } from '../../concerns/compression/streamed-decoder.ts'
import { ClientGoneError } from '../../errors/client-gone-error.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'
import { VirtualRequest } from '../../http/virtual-request.ts'
import { BODY_MISSED, type UnreadRequests } from '../../listen/unread-requests.ts'

type BodyOf = Pick<Exchange, 'request' | 'response' | 'client' | 'countedClient' | 'size' | 'refuseBy'>

/** The form of a body. */
type BodyForm = {
  /** Bytes that it may have at most, unpacked. */
  readonly limit: number
  /** The coding in which it is compressed; null if it is not. */
  readonly coding: ContentCoding | null
  /** The line in which bodies of Brotli are unpacked. */
  readonly brotli: BrotliLine
}

/**
 * Reads the body, and resolves with the result of `read` for its text. A body is refused as soon as it is
 * known to exceed the limit, and one that does not arrive is refused if too many others wait.
 */
export function readBody<Read>(
  exchange: BodyOf,
  form: BodyForm,
  unread: UnreadRequests,
  read: (text: string) => Read | Promise<Read>,
): Read | Promise<Read> {
  const { request, response } = exchange
  if (request instanceof VirtualRequest) return read(wholeBody(request, exchange, form))
  if (Number(request.headers['content-length'] ?? 0) > form.limit) throw tooLarge(form.limit)
  if (CONTINUE.test(request.headers.expect ?? '')) response.writeContinue()
  return new Promise((resolve, reject) => {
    const collected = (text: string): void => resolve(read(text))
    new Body(exchange, request, form, { collected, failed: reject }).waitIn(unread)
  })
}

function wholeBody(request: VirtualRequest, { size }: BodyOf, { limit }: BodyForm): string {
  const body = request.takeBody()
  const bytes = Buffer.byteLength(body)
  if (bytes > limit) throw tooLarge(limit)
  size.received(bytes)
  return body
}

/** A body on its way. One of its two callbacks is called, once. */
class Body implements UnpackedSink {
  readonly #exchange: BodyOf
  readonly #request: IncomingMessage
  readonly #collected: (text: string) => void
  readonly #failed: (error: unknown) => void
  readonly #form: BodyForm
  /** Unpacks the body; null if it is not compressed, or nothing of it has arrived. */
  #decoder: BodyDecoder | null = null
  readonly #chunks: Buffer[] = []
  /** Bytes that have arrived, as they were sent. */
  #length = 0
  #unpacked = 0
  /** Whether nothing is collected any more. The rest of the body is read and dropped. */
  #isOver = false
  #waiting: Disposable | null = null

  /** `collected` may throw. */
  constructor(
    exchange: BodyOf,
    request: IncomingMessage,
    form: BodyForm,
    over: { readonly collected: (text: string) => void; readonly failed: (error: unknown) => void },
  ) {
    this.#exchange = exchange
    this.#request = request
    this.#collected = over.collected
    this.#failed = over.failed
    this.#form = form
    exchange.refuseBy((error) => this.#fail(error))
    request.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      if (this.#length > form.limit) this.#fail(tooLarge(form.limit))
      else if (form.coding === null) this.#take(chunk)
      else if (!this.#isOver) this.#begunDecoder(form.coding).write(chunk)
    })
    // HTTP/2 also ends what was broken off.
    request.on('end', () => (request.complete ? this.#arrived() : this.#fail(CLIENT_GONE)))
    request.on('error', (error) => this.#failToRead(error))
    request.on('close', () => {
      if (!request.complete) this.#fail(CLIENT_GONE)
    })
  }

  /** Counts the body as waiting until it is over. */
  waitIn(unread: UnreadRequests): void {
    this.#waiting = unread.add(this.#exchange.client, (error) => {
      this.#fail(error)
      this.#request.emit(BODY_MISSED)
    })
  }

  unpacked(bytes: Buffer): void {
    this.#unpacked += bytes.length
    if (this.#unpacked > this.#form.limit) this.failed(unpacksBeyond(this.#form.limit))
    else this.#take(bytes)
  }

  held(more: number): void {
    this.#exchange.size.received(more)
  }

  ended(): void {
    this.#end()
  }

  failed(error: HttpError): void {
    this.#fail(error)
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#exchange.size.received(chunk.length)
  }

  #arrived(): void {
    const { coding } = this.#form
    if (coding === null) this.#end()
    else if (!this.#isOver) this.#begunDecoder(coding).end()
  }

  /** Returns what unpacks the body. A client that sends nothing makes nobody create it. */
  #begunDecoder(coding: ContentCoding): BodyDecoder {
    return (this.#decoder ??= this.#newDecoder(coding))
  }

  #newDecoder(coding: ContentCoding): BodyDecoder {
    if (coding !== 'br') return new StreamedDecoder(coding, this.#request, this)
    const { limit, brotli } = this.#form
    return new BrotliDecoder({ client: this.#exchange.countedClient, limit, line: brotli }, this)
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
    this.#decoder?.destroy()
    this.#waiting?.[Symbol.dispose]()
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError('PAYLOAD_TOO_LARGE', `The request body is larger than the ${limit} bytes allowed.`)
}

/** As node:http recognizes it. */
export const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

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
