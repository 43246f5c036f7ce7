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

export type Reading = {
  /** The time at which the request was sent. */
  readonly began: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** The signal that stops the request. */
  readonly signal?: AbortSignal
  readonly limits?: ReadingLimits
}

/**
 * Yields the answer after each part. The last one has `hasNext` false, and says in `failure` if something is
 * wrong; nothing is thrown.
 */
export async function* readAnswer(
  response: Response,
  { began, now, signal, limits = LIMITS }: Reading,
): AsyncGenerator<ReadAnswer, undefined> {
  const builder = new AnswerBuilder()
  using counted = new CountedResponse(response, limits.bytes)
  const { status } = response
  const end = (failure: string | null): ReadAnswer => ({ ...builder.answer, hasNext: false, status, failure })
  try {
    for await (const body of bodiesOf(counted.response)) {
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
    // Browsers tell why a stream ended in words of their own, or not at all.
    const isStopped = signal?.aborted === true
    yield end(isStopped ? STOPPED : counted.isTooLarge ? tooLarge(limits.bytes) : messageOf(error))
  }
  return undefined
}

const BROKEN_OFF =
  'The answer broke off before its last part: the router, or something between it and this page, closed the connection.'

/** A response that ends with an error where it becomes too large. Disposing leaves what was not read. */
class CountedResponse implements Disposable {
  readonly response: Response
  isTooLarge = false
  #controller: TransformStreamDefaultController | null = null

  constructor(response: Response, bytes: number) {
    let left = bytes
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        start: (controller) => void (this.#controller = controller),
        transform: (piece, controller) => {
          left -= piece.byteLength
          this.isTooLarge = left < 0
          if (this.isTooLarge) controller.error(new Error('too large'))
          else controller.enqueue(piece)
        },
      }),
    )
    const { status, headers } = response
    this.response = counted === undefined ? response : new Response(counted, { status, headers })
  }

  [Symbol.dispose](): void {
    this.#controller?.error(new Error('nobody reads on'))
  }
}

function tooLarge(bytes: number): string {
  return `The answer has more than ${Math.round(bytes / 1024 / 1024)} MiB. Reading was ended; “curl” takes answers of any size.`
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
