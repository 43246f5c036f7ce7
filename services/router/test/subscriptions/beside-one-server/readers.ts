/** Clients that subscribe in each of the ways that a router serves. */
import type { SuiteOperation } from '@switchyard/corpus'
import { Talk } from '../sockets/talk.ts'
import { subscribe } from '../support/read-events.ts'

export const WAYS = ['event stream', 'multipart answer', 'WebSocket'] as const
export type Way = (typeof WAYS)[number]

export type Reader = {
  /** The results so far. */
  readonly results: () => readonly unknown[]
  /** Whether the end has come: as it should come, or in another way. */
  readonly end: () => 'complete' | 'other' | null
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
  const end = (): ReturnType<Reader['end']> => {
    if (reading.end === null) return null
    const isWhole = isStream ? reading.text.endsWith('event: complete\ndata: \n\n') : true
    return reading.end === 'whole' && isWhole ? 'complete' : 'other'
  }
  const results = isStream
    ? () => reading.events.filter(([name]) => name === 'next').map(([, data]) => data)
    : () => reading.parts.map((part) => Object(part).payload ?? part)
  return { results, end, leave: async () => reading.leave() }
}

async function overSocket(
  { graphqlUrl }: { readonly graphqlUrl: string },
  payload: object,
  headers: Record<string, string>,
): Promise<Reader> {
  const talk = await Talk.ready(graphqlUrl, undefined, headers)
  talk.say({ id: '1', type: 'subscribe', payload })
  const has = (type: string) => talk.heard.some((message) => message.type === type)
  return {
    results: () => talk.heard.filter(({ type }) => type === 'next').map((message) => message['payload']),
    end: () => (has('complete') ? 'complete' : has('error') || isClosed(talk) ? 'other' : null),
    leave: () => talk[Symbol.asyncDispose](),
  }
}

function isClosed({ ws }: Talk): boolean {
  return ws.readyState === ws.CLOSED
}
