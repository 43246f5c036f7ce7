/**
 * Subscribes by server-sent events, in the distinct connections mode of GraphQL over SSE:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 *
 * The client of graphql-sse is not used: it holds a line of any length, and copies it at each piece.
 */
import { StreamParser } from '@switchyard/event-streams'
import { endedEarly, openAnswer, piecesOf, readSingle, typeOf } from './answer.ts'
import { tooLarge } from './faults.ts'
import { type EventResult, MAX_EVENT_BYTES, readResult, type Subscription } from './subscription.ts'

const EVENT_STREAM = 'text/event-stream'

type StreamEvent = { readonly name: string; readonly data: Uint8Array }

export async function* overEventStream(subscription: Subscription): AsyncGenerator<EventResult, undefined> {
  const response = await openAnswer(subscription, EVENT_STREAM)
  if (!typeOf(response).startsWith(EVENT_STREAM)) {
    yield await readSingle(response)
    return undefined
  }
  subscription.opened()
  const events: StreamEvent[] = []
  let isTooLarge = false
  const parser = new StreamParser(
    {
      event: (name, data) => events.push({ name, data }),
      tooLarge: () => {
        isTooLarge = true
      },
    },
    MAX_EVENT_BYTES,
  )
  for await (const piece of piecesOf(response)) {
    parser.read(piece)
    for (const { name, data } of events.splice(0)) {
      if (name === 'complete') return undefined
      // Some servers leave the name of the most frequent event out.
      if (name === 'next' || name === '') yield readResult(new TextDecoder().decode(data))
    }
    if (isTooLarge) throw tooLarge()
  }
  throw endedEarly()
}
