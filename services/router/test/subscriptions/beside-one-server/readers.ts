/** Clients that subscribe in each of the ways that a router serves. */
import type { SuiteOperation } from '@switchyard/corpus'
import { Talk } from '../sockets/talk.ts'
import { subscribe } from '../support/read-events.ts'

export const WAYS = ['event stream', 'multipart answer', 'WebSocket'] as const
export type Way = (typeof WAYS)[number]

export type Reader = {
  /** The results so far. */
  readonly results: () => readonly unknown[]
  /** The end: `complete`, the code of the error that came in place of it, or `cut`. Null before the end. */
  readonly end: () => string | null
  readonly leave: () => Promise<void>
}

/** Subscribes. Returns once the router knows of it. */
export async function openReader(
  way: Way,
  router: { readonly graphqlUrl: string },
  { query, variables = {} }: SuiteOperation,
  headers: Record<string, string>,
): Promise<Reader> {
  if (way === 'WebSocket') return await overSocket(router, { query, variables }, headers)
  const isStream = way === 'event stream'
  const accept = isStream ? 'text/event-stream' : 'multipart/mixed;subscriptionSpec="1.0"'
  const reading = subscribe(router, { query, variables }, { ...headers, accept })
  await reading.until(({ status }) => status !== 0, 'an answer')
  if (reading.status !== 200) throw new Error(`Refused with ${reading.status}: ${reading.text}`)
  const all = (): readonly unknown[] =>
    isStream ? reading.events.flatMap(([name, data]) => (name === 'next' ? [data] : [])) : reading.parts
  const failure = (): string | null => failureIn(all().at(-1))
  return {
    results: () => {
      const results = all().map((one) => Object(one).payload ?? one)
      return failure() === null ? results : results.slice(0, -1)
    },
    end: () => {
      if (reading.end === null) return null
      const isComplete = !isStream || reading.text.endsWith('event: complete\ndata: \n\n')
      return reading.end === 'whole' && isComplete ? (failure() ?? 'complete') : 'cut'
    },
    leave: async () => reading.leave(),
  }
}

/** Returns the code of the error that ends a subscription over HTTP: it comes without data. */
function failureIn(last: unknown): string | null {
  const { errors, data } = Object(last)
  return errors === undefined || data !== undefined ? null : String(errors[0]?.extensions?.code)
}

async function overSocket(
  { graphqlUrl }: { readonly graphqlUrl: string },
  payload: object,
  headers: Record<string, string>,
): Promise<Reader> {
  const talk = await Talk.ready(graphqlUrl, undefined, headers)
  talk.say({ id: '1', type: 'subscribe', payload })
  const of = (type: string) => talk.heard.filter((message) => message.type === type)
  return {
    results: () => of('next').map((message) => message['payload']),
    end: () => {
      const [error] = of('error')
      if (error !== undefined) return String(Object(error['payload'])[0]?.extensions?.code)
      if (of('complete').length > 0) return 'complete'
      return talk.ws.readyState === talk.ws.CLOSED ? 'cut' : null
    },
    leave: () => talk[Symbol.asyncDispose](),
  }
}
