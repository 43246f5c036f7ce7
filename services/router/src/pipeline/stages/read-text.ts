/** Reads what the client sent, after checking that it may be read at all. */
import type { BrotliLine } from '../../concerns/compression/brotli-line.ts'
import { CompressedRequests } from '../../concerns/compression/metrics.ts'
import { requestCodingOf } from '../../concerns/compression/request-coding.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { checkCsrf } from '../../concerns/csrf/check-csrf.ts'
import type { Upload } from '../../concerns/uploads/upload.ts'
import type { Connections } from '../../listen/connections.ts'
import type { UnreadRequests } from '../../listen/unread-requests.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { Stage } from '../../request/stage.ts'
import { VirtualRequest } from '../../http/virtual-request.ts'
import { isAllowedPage } from '../../subscriptions/pages/event-source.ts'
import { acceptsEventStream } from '../../subscriptions/sessions/event-form.ts'
import { checkBodyType } from './check-body-type.ts'
import { overloaded } from './check-traffic.ts'
import { readBody } from './read-body.ts'

/** The parts that limit and read requests. */
export type ReadingParts = {
  readonly config: RouterConfig
  readonly connections: Connections
  /** Requests whose bodies are still on their way. */
  readonly unread: UnreadRequests
  /** The line in which bodies of Brotli are unpacked. */
  readonly brotli: BrotliLine
  readonly answers: { refuse(exchange: Exchange, error: unknown): void }
}

/** The body of a POST request, or the query string of a GET request. */
export type Text = {
  readonly text: string
  /** The files of the request. Absent if it has none. */
  readonly upload?: Upload
}

/**
 * Reads the text, and counts the request as in progress once it is there. `limit`: bytes of the largest body,
 * unpacked. Throws, or rejects with, HttpError and ClientGoneError.
 */
export function readText(
  parts: ReadingParts,
  limit: number = parts.config.limits.bodySize,
): Stage<Arrived, Text> {
  const { csrf, requestEncodings, subscriptions } = parts.config
  const compressed = new CompressedRequests()
  return {
    waitsFor: null,
    run: ({ exchange, search }) => {
      const { request } = exchange
      const { headers, method } = request
      if (method === 'POST' || request instanceof VirtualRequest) {
        checkBodyType(headers)
        const coding = requestCodingOf(headers['content-encoding'], requestEncodings)
        if (coding !== null) compressed.received(coding)
        const form = { limit, coding, brotli: parts.brotli }
        return readBody(exchange, form, parts.unread, (text) => begin(exchange, text, parts))
      }
      const isEventSource = subscriptions.enabled && acceptsEventStream(headers.accept)
      if (!isEventSource || !isAllowedPage(request, parts.config)) checkCsrf(headers, csrf)
      return begin(exchange, search, parts)
    },
  }
}

/** Counts a request as in progress, whose text is there. Throws HttpError. */
export function begin(exchange: Exchange, text: string, { connections, answers }: ReadingParts): Text {
  exchange.refuseBy((error) => answers.refuse(exchange, error))
  if (!exchange.beginProgress(connections)) throw overloaded()
  return { text }
}
