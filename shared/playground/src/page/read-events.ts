/** Reads the events of a subscription from the answer to a request by `fetch`. */
import { StreamParser } from '@switchyard/event-streams'
import { isRecord } from '@switchyard/values'
import { getOperationAST, parse } from 'graphql'

const EVENT_STREAM = 'text/event-stream'
/** The `Accept` header of subscriptions. Refusals have JSON. */
export const ACCEPT_EVENTS = `${EVENT_STREAM}, application/graphql-response+json;q=0.9, application/json;q=0.8`

/** Bytes of one event. */
const MOST_BYTES = 32 * 1024 * 1024
/** Milliseconds between two renderings: what comes within them is shown at once. */
const PAUSE = 100

const BROKEN =
  'The connection broke: the router, or something between it and this page, closed it. Run the operation to subscribe again.'

/** Results that came within a short time. */
export type EventBatch = {
  readonly results: readonly Readonly<Record<string, unknown>>[]
  /** True if the server has completed the subscription. */
  readonly isComplete: boolean
}

/** Whether the document's operation is a subscription. False if the document is not valid. */
export function isSubscription(query: string, operationName: string | null | undefined): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'subscription'
  } catch {
    return false
  }
}

export function isEventStream({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.get('content-type')?.trim().toLowerCase().startsWith(EVENT_STREAM) === true
}

/** The events up to the one that completes the subscription. Rejects if the stream breaks off before. */
export async function* eventBatches(body: ReadableStream<Uint8Array>): AsyncGenerator<EventBatch, undefined> {
  const reader = body.getReader()
  const read = () => {
    const piece = reader.read().catch((error: unknown) => {
      throw new Error(BROKEN, { cause: error })
    })
    // Nobody may wait for it any more when the request is stopped.
    piece.catch(() => {})
    return piece
  }
  try {
    yield* batchesOf(read)
  } finally {
    reader.cancel().catch(() => {})
  }
  return undefined
}

async function* batchesOf(
  read: () => Promise<ReadableStreamReadResult<Uint8Array>>,
): AsyncGenerator<EventBatch, undefined> {
  const events = new EventReader()
  let shownAt = Number.NEGATIVE_INFINITY
  let next = read()
  for (;;) {
    const wait = shownAt + PAUSE - performance.now()
    const piece = events.isEmpty || wait <= 0 ? await next : await within(wait, next)
    if (piece !== null) {
      if (piece.value !== undefined) events.read(piece.value)
      if (piece.done && !events.isComplete) throw new Error(BROKEN)
      if (!events.isComplete) next = read()
    }
    const isDue = events.isComplete || shownAt + PAUSE <= performance.now()
    if (!isDue || (events.isEmpty && !events.isComplete)) continue
    shownAt = performance.now()
    yield events.take()
    if (events.isComplete) return undefined
  }
}

/** The events that have come since the last look. */
class EventReader {
  isComplete = false
  #results: Readonly<Record<string, unknown>>[] = []
  #fault: Error | null = null
  readonly #parser = new StreamParser(
    {
      event: (name, data) => this.#event(name, data),
      tooLarge: () => {
        this.#fault = new Error(`An event has more than ${MOST_BYTES / 1024 / 1024} MiB.`)
      },
    },
    MOST_BYTES,
  )

  get isEmpty(): boolean {
    return this.#results.length === 0
  }

  read(piece: Uint8Array): void {
    this.#parser.read(piece)
    if (this.#fault !== null) throw this.#fault
  }

  take(): EventBatch {
    const results = this.#results
    this.#results = []
    return { results, isComplete: this.isComplete }
  }

  #event(name: string, data: Uint8Array<ArrayBuffer>): void {
    if (this.isComplete) return
    if (name === 'complete') this.isComplete = true
    if (name !== 'next' && name !== '') return
    const text = new TextDecoder().decode(data)
    const result = parsed(text)
    if (isRecord(result)) this.#results.push(result)
    else this.#fault ??= new Error(`An event is no answer of GraphQL: ${JSON.stringify(text.slice(0, 200))}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Resolves with null if the milliseconds are over before. */
function within<Value>(ms: number, value: Promise<Value>): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    value.then(
      (got) => {
        clearTimeout(timer)
        resolve(got)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}
