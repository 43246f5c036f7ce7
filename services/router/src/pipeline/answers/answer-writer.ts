/** Writes answers: printed in slices where they are large, compressed where clients take that. */
import type { RouterConfig } from '../../config/router-config.ts'
import type { HeaderList } from '../../headers/header-list.ts'
import { Compression, type CompressedCopies, type Content } from '../../concerns/compression/compression.ts'
import type { ResponseType } from '../../http/negotiate.ts'
import { type PartSink, PlainParts } from '../../http/part-sink.ts'
import { printInTurns } from '../../http/print-in-turns.ts'
import { headerRecord, sendJson } from '../../http/reply.ts'
import { sendAsEvents } from '../../subscriptions/sessions/event-stream.ts'
import { CompressionMetrics } from '../../concerns/compression/metrics.ts'
import type { Exchange } from '../../request/exchange.ts'
import { entityTag, hasTagged } from './entity-tag.ts'

/** The status and headers with which content is sent. */
export type Envelope = {
  /** The HTTP status. The default is 200. */
  readonly status?: number
  readonly type: ResponseType
  readonly headers: HeaderList
  /** Caches may keep it. */
  readonly isStored?: boolean
  /** Compressed copies of content that other clients get, too. */
  readonly copies?: CompressedCopies
}

/** Writes them, or says what kept it from that. */
export class AnswerWriter {
  /** Compresses answers; null if they are sent as they are. */
  readonly #compression: Compression | null
  readonly #failed: (exchange: Exchange, error: unknown) => void

  /** `failed` answers in place of what cannot be written. */
  constructor({ compression }: RouterConfig, failed: (exchange: Exchange, error: unknown) => void) {
    this.#compression = compression === null ? null : new Compression(compression, new CompressionMetrics())
    this.#failed = failed
  }

  /** Compressed, if answers are and the client takes that. */
  send(exchange: Exchange, content: Content, envelope: Envelope): void {
    const { status = 200, type, copies } = envelope
    const { request, response } = exchange
    const headers =
      envelope.isStored === true ? withTag(exchange, content, envelope.headers) : envelope.headers
    if (headers === null) return
    if (exchange.answersByEvents && status === 200)
      return sendAsEvents(response, headerRecord(headers), content)
    const accepted = request.headers['accept-encoding']
    const compressed = this.#compression?.compress(content, accepted, copies ?? null) ?? null
    if (compressed === null) return sendJson(response, status, type, headers, content)
    compressed
      .then((made) => {
        if (made === null) return sendJson(response, status, type, headers, content)
        sendJson(response, status, type, [...headers, 'Content-Encoding', made.coding], made.pieces)
      })
      .catch((error: unknown) => this.#failed(exchange, error))
  }

  /** Prints an answer in slices. */
  async print(
    answer: object,
    exchange: Exchange,
    send: (pieces: readonly Uint8Array[]) => void,
  ): Promise<void> {
    const { work, size } = exchange
    try {
      const pieces = await printInTurns(answer, { work, size, isGone: () => exchange.closed })
      if (pieces === null) return
      exchange.finish()
      send(pieces)
    } catch (error) {
      this.#failed(exchange, error)
    }
  }

  /** Makes the sink that parts of an answer are written to. */
  partsOf({ request, response }: Exchange): PartSink {
    const compressed = this.#compression?.parts(response, request.headers['accept-encoding'])
    return compressed ?? new PlainParts(response)
  }
}

/**
 * Adds the entity tag to the headers of an answer that caches keep and that was requested by GET. Null if the
 * client has the answer already, and was told so.
 */
function withTag(
  { request, response, report }: Exchange,
  content: Content,
  headers: HeaderList,
): HeaderList | null {
  const tag = request.method === 'GET' ? entityTag(content) : null
  if (tag === null) return headers
  const tagged = [...headers, 'ETag', tag]
  if (!hasTagged(request.headers['if-none-match'], tag)) return tagged
  report.answering(304)
  if (response.headersSent || response.destroyed) return null
  response.writeHead(304, tagged)
  response.end()
  return null
}
