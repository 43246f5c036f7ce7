/** Reads answers as they stream, in one piece or in parts (`multipart/mixed`, `incrementalSpec=v0.2`). */
import { isRecord, messageOf } from '@switchyard/values'
import { meros } from 'meros/browser'
import { AnswerBuilder, type Answer } from './answer.ts'

/** The `Accept` header of operations that may have deferred parts. */
export const ACCEPT =
  'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9'

export type ReadingLimits = {
  /** Bytes of all parts together. */
  readonly bytes: number
  readonly parts: number
}

const LIMITS: ReadingLimits = { bytes: 8 * 1024 * 1024, parts: 500 }

export type ReadAnswer = Answer & {
  readonly status: number
  /** Why the answer ended before its last part, or is none, as whole sentences. Null if nothing is wrong. */
  readonly failure: string | null
}

/**
 * Yields the answer after each part. The last one has `hasNext` false, and says in `failure` if something is
 * wrong; nothing is thrown. `now` is monotonic, in milliseconds, and `began` when the request was sent.
 */
export async function* readAnswer(
  response: Response,
  began: number,
  now: () => number,
  limits: ReadingLimits = LIMITS,
): AsyncGenerator<ReadAnswer, undefined> {
  const builder = new AnswerBuilder()
  const { status } = response
  const end = (failure: string | null): ReadAnswer => ({ ...builder.answer, hasNext: false, status, failure })
  try {
    for await (const body of bodiesOf(bounded(response, limits.bytes))) {
      builder.add(body, now() - began)
      const { answer } = builder
      yield { ...answer, status, failure: null }
      if (!answer.hasNext) return undefined
      if (answer.parts.length >= limits.parts) {
        yield end(
          `The answer has more than ${limits.parts} parts. Reading was ended, so the rest is missing.`,
        )
        return undefined
      }
    }
    if (builder.answer.hasNext) yield end(BROKEN_OFF)
  } catch (error) {
    yield end(messageOf(error))
  }
  return undefined
}

const BROKEN_OFF =
  'The answer broke off before its last part: the router, or something between it and this page, closed the connection.'

/** Ends an answer with an error where it becomes too large. */
function bounded(response: Response, bytes: number): Response {
  if (response.body === null) return response
  let left = bytes
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        left -= piece.byteLength
        if (left < 0) controller.error(new TooLargeError(bytes))
        else controller.enqueue(piece)
      },
    }),
  )
  return new Response(counted, { status: response.status, headers: response.headers })
}

class TooLargeError extends Error {
  constructor(bytes: number) {
    super(
      `The answer has more than ${Math.round(bytes / 1024 / 1024)} MiB. Reading was ended; “curl” takes answers of any size.`,
    )
  }
}

/** Parts of the answer, or the one that it has. */
async function* bodiesOf(response: Response): AsyncGenerator {
  const parts = await meros<unknown>(response)
  if (parts instanceof Response) {
    yield onlyPart(await toTheEnd(parts.text()), parts)
    return
  }
  const iterator = parts[Symbol.asyncIterator]()
  for (;;) {
    const { done, value: part } = await toTheEnd(iterator.next())
    if (done === true) return
    if (!part.json) throw new Error(`A part of the answer is not JSON: ${excerpt(String(part.body))}`)
    yield part.body
  }
}

/** Says in words of this page that reading has failed. */
async function toTheEnd<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    if (error instanceof DOMException && error.name === 'AbortError')
      throw new Error(STOPPED, { cause: error })
    throw new Error(BROKEN_OFF, { cause: error })
  }
}

/** The reason of an answer that somebody stopped. */
export const STOPPED = 'You stopped it.'

function onlyPart(text: string, { status, headers }: Response): unknown {
  const type = headers.get('content-type') ?? 'no content type'
  try {
    const body: unknown = JSON.parse(text)
    if (isRecord(body) && ('data' in body || 'errors' in body)) return body
  } catch {
    // Said below.
  }
  throw new Error(
    `The answer is not one of GraphQL: status ${status}, ${type}, ${excerpt(text)}. Something between this page and the router may have answered, or the URL is not that of its GraphQL endpoint.`,
  )
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
