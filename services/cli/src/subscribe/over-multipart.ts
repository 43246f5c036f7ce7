/**
 * Subscribes by the multipart subscription protocol 1.0:
 * https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
import { endedEarly, openAnswer, piecesOf, readSingle, typeOf } from './answer.ts'
import { endedByErrors, tooLarge } from './faults.ts'
import { MultipartParser } from './multipart-parser.ts'
import { asResult, type EventResult, MAX_EVENT_BYTES, readResult, type Subscription } from './subscription.ts'

const MULTIPART = 'multipart/mixed'
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i
const DEFAULT_BOUNDARY = '-'

export async function* overMultipart(subscription: Subscription): AsyncGenerator<EventResult, undefined> {
  const response = await openAnswer(subscription, `${MULTIPART};subscriptionSpec="1.0"`)
  if (!typeOf(response).startsWith(MULTIPART)) {
    yield await readSingle(response)
    return undefined
  }
  subscription.opened()
  const parts: string[] = []
  let isClosed = false
  let isTooLarge = false
  const sink = {
    part: (body: Buffer) => parts.push(body.toString('utf8')),
    closed: () => {
      isClosed = true
    },
    tooLarge: () => {
      isTooLarge = true
    },
  }
  const parser = new MultipartParser(sink, boundaryOf(response.headers['content-type']), MAX_EVENT_BYTES)
  for await (const piece of piecesOf(response)) {
    parser.read(piece)
    for (const part of parts.splice(0)) {
      const result = resultIn(part)
      if (result !== null) yield result
    }
    if (isClosed) return undefined
    if (isTooLarge) throw tooLarge()
  }
  throw endedEarly()
}

function boundaryOf(contentType = ''): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? plain ?? DEFAULT_BOUNDARY
}

/**
 * Returns the result in a part. Null if the part only shows that the connection stands. Throws if the part
 * ends the subscription.
 */
function resultIn(text: string): EventResult | null {
  const part = readResult(text)
  const { payload, errors } = part
  if (errors !== undefined) throw endedByErrors(errors)
  if (payload === undefined || payload === null) {
    // A query is answered by parts of another form.
    return 'data' in part ? part : null
  }
  return asResult(payload, () => text)
}
