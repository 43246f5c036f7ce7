/** A reader of `GET /v1/live` that notes events, their ids, and whatever else a stream holds. */
import { LiveEvent } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { expect } from 'vitest'
import { BOOTSTRAP_KEY, type Client } from '../harness.ts'

export type Told = { readonly id: number; readonly event: LiveEvent }

export type LiveReader = {
  readonly told: Told[]
  readonly comments: number
  /** The milliseconds of the last hint when to come back; null without one. */
  readonly retry: number | null
  readonly isOver: boolean
  /** Cuts the connection. */
  cut(): void
  /** Waits until an event of the kind is told of which this is a part. */
  until(part: Partial<LiveEvent>): Promise<void>
}

export type LiveAsk = {
  readonly key?: string
  readonly after?: number
  readonly lastEventId?: string
  /** The characters after which the connection is cut; also within an event, or before the first one. */
  readonly cutAfter?: number
}

/** Resolves with the response, whatever it is. */
export function askLive(client: Client, ask: LiveAsk = {}, signal?: AbortSignal): Promise<Response> {
  const { key = BOOTSTRAP_KEY, after, lastEventId } = ask
  const query = after === undefined ? '' : `?after=${after}`
  return fetch(`${client.registry.url}/v1/live${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Resolves once the first event is there, or the connection was cut. */
export async function readLive(client: Client, ask: LiveAsk = {}): Promise<LiveReader> {
  const cut = new AbortController()
  const response = await askLive(client, ask, cut.signal)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const state = { told: [] as Told[], comments: 0, retry: null as number | null, isOver: false }
  void note(response, state, ask.cutAfter ?? Number.POSITIVE_INFINITY).finally(() => cut.abort())
  const reader: LiveReader = Object.assign(state, {
    cut: () => cut.abort(),
    until: async (part: Partial<LiveEvent>) => {
      const wanted = expect.objectContaining(part)
      const isTold = () => state.told.some(({ event }) => wanted.asymmetricMatch(event))
      await waitFor(`to be told ${JSON.stringify(part)}`, isTold)
    },
  })
  await waitFor('the first event', () => state.told.length > 0 || state.isOver)
  return reader
}

async function note(
  response: Response,
  state: { told: Told[]; comments: number; retry: number | null; isOver: boolean },
  cutAfter: number,
): Promise<void> {
  let rest = ''
  let left = cutAfter
  const text = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      const arrived = text.decode(chunk, { stream: true }).slice(0, left)
      left -= arrived.length
      const blocks = (rest + arrived).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block === ':') state.comments++
        else if (block.startsWith('retry: ')) state.retry = Number(block.slice('retry: '.length))
        else state.told.push(toldIn(block))
      }
      if (left <= 0) break
    }
  } catch {
    // The connection was cut.
  }
  state.isOver = true
}

function toldIn(block: string): Told {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
  )
  const data: unknown = JSON.parse(fields.get('data') ?? '')
  return {
    id: Number(fields.get('id')),
    event: LiveEvent.parse({ kind: fields.get('event'), ...Object(data) }),
  }
}

/** The sequences of the changes that were told, in their order. */
export function changesOf({ told }: Pick<LiveReader, 'told'>): readonly number[] {
  return told.flatMap(({ event }) => (event.kind === 'changed' ? [event.sequence] : []))
}
