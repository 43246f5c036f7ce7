/** Sends operations to the router, as GraphiQL asks for it, and shows each part of an answer as it comes. */
import type { StreamPart } from '@switchyard/incremental-delivery'
import { isRecord, messageOf } from '@switchyard/values'
import { meros } from 'meros/browser'
import type { PlaygroundState } from '../state.ts'
import { type PlaygroundAnswer, AnswerReader, type ShownResponse } from './answer.ts'
import type { Choices } from './choices.ts'
import { endedBy, NO_EVENTS, withResults } from './event-log.ts'
import { ACCEPT_EVENTS, eventBatches, isEventStream, isSubscription } from './read-events.ts'
import { readStandIn, type StandInFields } from './stand-in.ts'
import type { Store } from './store.ts'

const ACCEPT =
  'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9'
/** The name that GraphiQL gives the operation by which it learns the schema. */
export const INTROSPECTION = 'IntrospectionQuery'

export type OperationToSend = {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | null | undefined
}

/** An error that a person reads. GraphiQL prints all that an error has; the stack is one of built code. */
export class ShownError extends Error {
  constructor(message: string) {
    super(message)
    Object.defineProperty(this, 'stack', { value: undefined })
  }
}

const NO_ANSWER: PlaygroundAnswer = {
  status: null,
  flag: null,
  parts: [],
  merged: null,
  events: null,
  hasNext: false,
  failure: null,
  trace: null,
  isStandInIgnored: false,
}

/** An operation as it was sent, with the headers that a person wrote. */
export type SentOperation = {
  readonly operation: OperationToSend
  readonly headers: Readonly<Record<string, unknown>>
}

export type Sending = {
  readonly state: PlaygroundState
  readonly choices: Store<Choices>
  readonly answer: Store<PlaygroundAnswer | null>
  /** Called when nobody answers, or the answer breaks off. */
  readonly noAnswer: () => void
  /** Called when the router has begun to send events. */
  readonly subscribed: () => void
}

/**
 * Asks the router. The values are the response as far as it is known. To return before the end ends the
 * request. Throws a ShownError when there is no answer of GraphQL.
 */
export function send(
  operation: OperationToSend,
  headers: Readonly<Record<string, unknown>>,
  sending: Sending,
): AsyncIterableIterator<ShownResponse> {
  const abort = new AbortController()
  let isComplete = false
  const responses = responsesTo(operation, headers, sending, {
    signal: abort.signal,
    completed: () => {
      isComplete = true
    },
  })
  return {
    next: () => responses.next(),
    return: () => {
      // First of all: the generator itself returns only when the part that it waits for has come.
      if (!isComplete) abort.abort()
      return responses.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

type Ending = { readonly signal: AbortSignal; readonly completed: () => void }

async function* responsesTo(
  operation: OperationToSend,
  headers: Readonly<Record<string, unknown>>,
  sending: Sending,
  ending: Ending,
): AsyncGenerator<ShownResponse, undefined> {
  const isIntrospection = operation.operationName === INTROSPECTION
  let last: PlaygroundAnswer = NO_ANSWER
  const show = (answer: PlaygroundAnswer) => {
    last = answer
    if (!isIntrospection) sending.answer.set(answer)
  }
  if (!isIntrospection) sending.answer.set(null)
  try {
    yield* answersTo(operation, headers, sending, { ...ending, isIntrospection, show })
  } catch (error) {
    if (ending.signal.aborted && last.events !== null) {
      show({
        ...last,
        hasNext: false,
        events: { ...last.events, ended: 'You have stopped the subscription.' },
      })
      return undefined
    }
    const failure = ending.signal.aborted ? 'The request was stopped.' : messageOf(error)
    show({ ...last, hasNext: false, failure })
    if (!ending.signal.aborted) sending.noAnswer()
    throw new ShownError(failure)
  }
  return undefined
}

type Showing = Ending & {
  readonly isIntrospection: boolean
  readonly show: (answer: PlaygroundAnswer) => void
}

async function* answersTo(
  operation: OperationToSend,
  headers: Readonly<Record<string, unknown>>,
  { state, choices, subscribed }: Sending,
  { signal, completed, isIntrospection, show }: Showing,
): AsyncGenerator<ShownResponse, undefined> {
  const began = performance.now()
  const asked = requestHeaders(headers, state, choices.value, isIntrospection)
  if (isSubscription(operation.query, operation.operationName)) asked.set('Accept', ACCEPT_EVENTS)
  const response = await ask(state, {
    method: 'POST',
    headers: asked,
    body: JSON.stringify(operation),
    credentials: 'same-origin',
    signal,
  })
  const flag = response.headers.get(state.flagHeader)
  if (isEventStream(response)) {
    subscribed()
    yield* eventsOf(response, { completed, show: (shown) => show({ ...NO_ANSWER, ...shown, flag }) })
    return undefined
  }
  const reader = new AnswerReader()
  for await (const body of bodiesOf(response)) {
    const shown = reader.add(body, performance.now() - began)
    const merged = reader.answer
    if (body.hasNext !== true) completed()
    show({
      status: response.status,
      flag,
      parts: merged.parts,
      merged,
      events: null,
      hasNext: body.hasNext === true,
      failure: null,
      trace: reader.trace,
      isStandInIgnored: state.tracing !== null && response.headers.has(state.tracing.standInHeader),
    })
    yield shown
  }
  return undefined
}

type ShowingEvents = {
  readonly completed: () => void
  readonly show: (answer: Pick<PlaygroundAnswer, 'status' | 'events' | 'hasNext'>) => void
}

/** Shows events as they come. The values are the newest of them. */
async function* eventsOf(
  { status, body }: Response,
  { completed, show }: ShowingEvents,
): AsyncGenerator<ShownResponse, undefined> {
  let events = NO_EVENTS
  show({ status, events, hasNext: true })
  if (body === null) return undefined
  for await (const batch of eventBatches(body)) {
    const last = batch.results.at(-1)
    // Errors in the place of data are no event if the end follows: they are its reason.
    const isReason = batch.isComplete && last !== undefined && !('data' in last) && 'errors' in last
    events = withResults(events, isReason ? batch.results.slice(0, -1) : batch.results, new Date())
    if (batch.isComplete) {
      completed()
      events = { ...events, ended: isReason ? endedBy(last['errors']) : COMPLETE }
    }
    show({ status, events, hasNext: !batch.isComplete })
    if (last !== undefined) yield last
  }
  return undefined
}

const COMPLETE = 'The subscription is complete: its source has no more events.'

/** Those that a person wrote win over those of the controls. */
export function requestHeaders(
  written: Readonly<Record<string, unknown>>,
  { flagHeader, tracing }: PlaygroundState,
  { flag, trace, token, standIn }: Choices,
  isIntrospection: boolean,
): Headers {
  const headers = new Headers({ Accept: ACCEPT, 'Content-Type': 'application/json' })
  if (flag !== null) headers.set(flagHeader, flag)
  if (trace && tracing !== null && !isIntrospection) {
    headers.set(tracing.header, 'true')
    if (token !== '') headers.set(tracing.tokenHeader, token)
    // Without a token the router would ignore it.
    if (token !== '' || !tracing.needsToken) setStandIn(headers, tracing.standInHeader, standIn)
  }
  for (const [name, value] of Object.entries(written)) {
    try {
      headers.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    } catch {
      throw new Error(
        `The header ${JSON.stringify(name)} cannot be sent. Expected a name of letters, digits and -, and a value without line breaks and without letters beyond Latin-1.`,
      )
    }
  }
  return headers
}

/** Throws an error if a field cannot be read: the answer would be taken for that of another user. */
function setStandIn(headers: Headers, name: string, fields: StandInFields): void {
  const { problems, encoded } = readStandIn(fields)
  const [wrong] = Object.entries(problems).filter(([, problem]) => problem !== null)
  if (wrong !== undefined)
    throw new Error(
      `Nothing was sent, since the ${wrong[0]} of the other user cannot be read. ${String(wrong[1])}`,
    )
  if (encoded !== null) headers.set(name, encoded)
}

async function ask({ graphqlPath }: PlaygroundState, request: RequestInit): Promise<Response> {
  try {
    return await fetch(graphqlPath, request)
  } catch (error) {
    throw new Error(`There was no answer from ${graphqlPath}: the router cannot be reached.`, {
      cause: error,
    })
  }
}

/** Parts of the answer, or the one that it has. */
async function* bodiesOf(response: Response): AsyncGenerator<StreamPart> {
  const parts = await meros<StreamPart>(response)
  if (parts instanceof Response) {
    yield asResponse(await toTheEnd(parts.text()), parts)
    return
  }
  const iterator = parts[Symbol.asyncIterator]()
  let hasNext = true
  for (;;) {
    const { done, value: part } = await toTheEnd(iterator.next())
    if (done === true) break
    if (!part.json) throw new Error(`A part of the answer is not JSON: ${excerpt(String(part.body))}`)
    hasNext = part.body.hasNext === true
    yield part.body
  }
  if (hasNext) throw new Error(BROKEN_OFF)
}

const BROKEN_OFF =
  'The answer broke off before its last part: the router, or something between it and this page, closed the connection.'

/** Says in words of this page that reading has failed. */
async function toTheEnd<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read
  } catch (error) {
    throw new Error(BROKEN_OFF, { cause: error })
  }
}

function asResponse(text: string, { status, headers }: Response): StreamPart {
  const type = headers.get('content-type') ?? 'no content type'
  try {
    const body: unknown = JSON.parse(text)
    if (isRecord(body)) return body
  } catch {
    // Said below.
  }
  throw new Error(
    `The answer is not one of GraphQL: status ${status}, ${type}, ${excerpt(text)}. Something between this page and the router may have answered.`,
  )
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
