/** Reads requests that may have files: what precedes the files of a form, and all others as text. */
import { TooManyPiecesError } from '@switchyard/service-kit'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isList } from '../../../concerns/batching/split-list.ts'
import { checkFormCsrf } from '../../../concerns/csrf/check-csrf.ts'
import { FORM_MEMORY, tooLargeForm } from '../../../concerns/uploads/form-reader.ts'
import { UploadMetrics } from '../../../concerns/uploads/metrics.ts'
import { invalidUpload } from '../../../concerns/uploads/refusals.ts'
import type { UploadLimits } from '../../../concerns/uploads/settings.ts'
import { Upload } from '../../../concerns/uploads/upload.ts'
import { ClientGoneError } from '../../../errors/client-gone-error.ts'
import { HttpError } from '../../../errors/http-error.ts'
import { BODY_MISSED } from '../../../listen/unread-requests.ts'
import type { Arrived } from '../../../request/arrived.ts'
import type { Exchange } from '../../../request/exchange.ts'
import type { Stage } from '../../../request/stage.ts'
import { VirtualRequest } from '../../../http/virtual-request.ts'
import { CONTINUE } from '../read-body.ts'
import { begin, readText, type ReadingParts, type Text } from '../read-text.ts'

const FORM = /^multipart\/form-data\s*(?:;|$)/i

/** Reads a form up to its files, and every other request as `readText` does. */
export function readTextOrForm(parts: ReadingParts, limits: UploadLimits): Stage<Arrived, Text> {
  const text = readText(parts)
  const metrics = new UploadMetrics()
  return {
    waitsFor: null,
    run: (arrived) => {
      const { request } = arrived.exchange
      const { headers, method } = request
      const isForm = method === 'POST' && FORM.test(headers['content-type'] ?? '')
      // What came as a part of something larger has no form of its own.
      if (!isForm || request instanceof VirtualRequest) return text.run(arrived)
      checkForm(headers, parts, limits)
      return readForm(arrived.exchange, request, parts, { limits, metrics })
    },
  }
}

function checkForm(headers: IncomingHttpHeaders, { config }: ReadingParts, { maxSize }: UploadLimits): void {
  checkFormCsrf(headers, config.csrf)
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') {
    throw new HttpError(
      'UNSUPPORTED_MEDIA_TYPE',
      'A request with files cannot be compressed. Send it without Content-Encoding; the files themselves may be compressed.',
      { 'Accept-Encoding': 'identity' },
    )
  }
  if (Number(headers['content-length'] ?? 0) > maxSize) throw tooLargeForm(maxSize)
}

/** Resolves with the field `operations` when the files come next. Throws, or rejects with, HttpError. */
function readForm(
  exchange: Exchange,
  request: IncomingMessage,
  parts: ReadingParts,
  { limits, metrics }: { readonly limits: UploadLimits; readonly metrics: UploadMetrics },
): Promise<Text> {
  const { response, client } = exchange
  const { unread } = parts
  if (CONTINUE.test(request.headers.expect ?? '')) response.writeContinue()
  return new Promise((resolve, reject) => {
    let waiting: Disposable | null = null
    let isBegun = false
    const upload = new Upload(request, {
      limits,
      metrics,
      onFields: (operations) => {
        waiting?.[Symbol.dispose]()
        isBegun = true
        try {
          resolve(begunWith(upload, operations, exchange, parts))
        } catch (error) {
          reject(error)
        }
      },
      onFailed: (error) => {
        waiting?.[Symbol.dispose]()
        if (!isBegun) reject(error)
        else if (error instanceof HttpError) exchange.failWith(error)
      },
    })
    exchange.refuseBy((error) => {
      waiting?.[Symbol.dispose]()
      reject(error)
    })
    exchange.size.holds(upload)
    exchange.size.received(FORM_MEMORY)
    waiting = unread.add(client, (error) => {
      upload.failed(error)
      request.emit(BODY_MISSED)
    })
    unread.limitsItself(request)
    response.once('close', () => unread.hasArrived(request))
    request.on('error', (error) => upload.failed(readingError(error, exchange)))
    request.on('close', () => {
      if (!request.complete) upload.failed(CLIENT_GONE)
    })
  })
}

function begunWith(upload: Upload, operations: string, exchange: Exchange, parts: ReadingParts): Text {
  if (isList(operations)) {
    throw invalidUpload(
      'The field "operations" is a list. Expected one operation: several in one request cannot have files.',
    )
  }
  exchange.size.received(operations.length)
  return { ...begin(exchange, operations, parts), upload }
}

function readingError(error: Error, { response }: Exchange): Error {
  if (!(error instanceof TooManyPiecesError)) return CLIENT_GONE
  // Nothing more is read from a connection of HTTP/1.
  response.shouldKeepAlive = false
  return new HttpError('BAD_REQUEST', error.message)
}

const CLIENT_GONE = new ClientGoneError('The client left before its request was complete.')
