/** How the page subscribes at a router, with a server that sends what a test tells it to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PlaygroundAnswer, ShownResponse } from '../src/page/answer.ts'
import { FIRST_CHOICES } from '../src/page/choices.ts'
import { endedBy, missedSentence, MOST_EVENTS, NO_EVENTS, withResults } from '../src/page/event-log.ts'
import { isSubscription } from '../src/page/read-events.ts'
import { send } from '../src/page/send.ts'
import { Store } from '../src/page/store.ts'

const COMPLETE = 'event: complete\ndata: \n\n'
const next = (result: object) => `event: next\ndata: ${JSON.stringify(result)}\n\n`

type Subscribed = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What GraphiQL was given. */
  readonly shown: readonly ShownResponse[]
  readonly answer: () => PlaygroundAnswer | null
  readonly told: () => number
  readonly stop: () => void
  /** Resolves with the message of the error, if there is one. */
  readonly end: Promise<string | null>
}

async function subscribe(): Promise<Subscribed> {
  const began = Promise.withResolvers<Pick<Subscribed, 'request' | 'response'>>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-feature-flag': 'sale' })
    response.flushHeaders()
    began.resolve({ request, response })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const state = {
    waitingFor: null,
    graphqlPath: `http://127.0.0.1:${port}/graphql`,
    flags: [],
    flagHeader: 'X-Feature-Flag',
    tracing: null,
  }
  const answer = new Store<PlaygroundAnswer | null>(null)
  let told = 0
  answer.subscribe(() => told++)
  const sending = {
    state: state,
    choices: new Store({ ...FIRST_CHOICES, flag: 'sale' }),
    answer,
    noAnswer: () => {},
    subscribed: () => {},
  }
  const responses = send({ query: 'subscription { ticks }' }, { Authorization: 'Bearer x' }, sending)
  const shown: ShownResponse[] = []
  const end = (async () => {
    try {
      for await (const one of responses) shown.push(one)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })()
  return {
    ...(await began.promise),
    shown,
    answer: () => answer.value,
    told: () => told,
    stop: () => void responses.return?.(),
    end,
  }
}

describe('a subscription', () => {
  it('is told apart from queries, by the operation that is run', () => {
    const both = 'query A { a } subscription B { b }'
    expect(isSubscription('subscription { a }', null)).toBe(true)
    expect(isSubscription(both, 'B')).toBe(true)
    expect(isSubscription(both, 'A')).toBe(false)
    expect(isSubscription('{ a }', undefined)).toBe(false)
    expect(isSubscription('subscription {', null)).toBe(false)
  })

  it('asks for an event stream with the headers of the page, and shows events up to the end', async () => {
    const { request, response, shown, answer, end } = await subscribe()
    expect(request.headers).toMatchObject({
      accept: expect.stringMatching(/^text\/event-stream, /),
      authorization: 'Bearer x',
      'x-feature-flag': 'sale',
    })
    await waitFor('an answer without events', () => answer()?.events?.count === 0)
    expect(answer()).toMatchObject({ status: 200, flag: 'sale', hasNext: true, parts: [] })
    response.write(next({ data: { ticks: 1 } }))
    await waitFor('the first event', () => answer()?.events?.count === 1)
    response.write(next({ data: { ticks: 2 }, extensions: { missed: 3 } }))
    response.end(next({ data: null, errors: [{ message: 'no' }] }) + COMPLETE)
    expect(await end).toBeNull()
    const { events, hasNext, failure } = answer() ?? {}
    expect({ hasNext, failure, count: events?.count, ended: events?.ended }).toEqual({
      hasNext: false,
      failure: null,
      count: 3,
      ended: 'The subscription is complete: its source has no more events.',
    })
    expect(events?.kept.map(({ number, missed, hasErrors }) => [number, missed, hasErrors])).toEqual([
      [3, null, true],
      [2, 3, false],
      [1, null, false],
    ])
    expect(shown.at(-1)).toEqual({ data: null, errors: [{ message: 'no' }] })
  })

  it('that is ended with an error says why, and the error is no event', async () => {
    const { response, shown, answer, end } = await subscribe()
    response.write(next({ data: { ticks: 1 } }))
    const errors = [
      { message: 'The schema has changed.', extensions: { code: 'SUBSCRIPTION_SCHEMA_CHANGED' } },
    ]
    response.end(next({ errors }) + COMPLETE)
    expect(await end).toBeNull()
    expect(answer()?.events).toMatchObject({
      count: 1,
      ended: 'The router has ended the subscription: The schema has changed. (SUBSCRIPTION_SCHEMA_CHANGED)',
    })
    expect(shown.at(-1)).toEqual({ errors })
  })

  it('that is stopped keeps what has come, and closes its connection', async () => {
    const { response, answer, stop, end } = await subscribe()
    response.write(next({ data: { ticks: 1 } }))
    await waitFor('the event', () => answer()?.events?.count === 1)
    stop()
    expect(await end).toBeNull()
    await waitFor('the connection to be closed', () => response.destroyed)
    expect(answer()).toMatchObject({
      hasNext: false,
      failure: null,
      events: { count: 1, ended: 'You have stopped the subscription.' },
    })
  })

  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy(), /^The connection broke: /],
    ['ends before it is complete', (response: ServerResponse) => response.end(), /^The connection broke: /],
    [
      'has something else than answers of GraphQL',
      (response: ServerResponse) => response.write('data: [1]\n\n'),
      /^An event is no answer of GraphQL: "\[1\]"$/,
    ],
  ])('whose stream %s is told, with what has come', async (_how, harm, reason) => {
    const { response, answer, end } = await subscribe()
    response.write(next({ data: { ticks: 1 } }))
    await waitFor('the event', () => answer()?.events?.count === 1)
    harm(response)
    expect(await end).toMatch(reason)
    expect(answer()).toMatchObject({ failure: expect.stringMatching(reason), events: { count: 1 } })
    await waitFor('the connection to be closed', () => response.destroyed)
  })

  it('with events one after another is rendered for many of them at once', async () => {
    const { response, answer, told, end } = await subscribe()
    for (let number = 1; number <= 500; number++)
      await new Promise((resolve) => {
        response.write(next({ data: { ticks: number } }), () => setImmediate(resolve))
      })
    response.end(COMPLETE)
    expect(await end).toBeNull()
    expect(answer()?.events?.count).toBe(500)
    expect(told()).toBeLessThan(200)
  })

  it('with many events at once keeps the newest, and counts all', async () => {
    const { response, shown, answer, end } = await subscribe()
    for (let number = 1; number <= 20_000; number++) response.write(next({ data: { ticks: number } }))
    response.end(COMPLETE)
    expect(await end).toBeNull()
    const { events } = answer() ?? {}
    expect(events?.count).toBe(20_000)
    expect(events?.kept).toHaveLength(MOST_EVENTS)
    expect(events?.kept[0]).toMatchObject({ number: 20_000 })
    expect(shown.at(-1)).toEqual({ data: { ticks: 20_000 } })
  })
})

describe('the list of events', () => {
  it('keeps the newest of many that come at once, and the beginning of a long one', () => {
    const first = withResults(NO_EVENTS, [{ data: 'x'.repeat(50_000) }], new Date())
    expect(first.kept[0]?.text.length).toBeLessThan(11_000)
    expect(first.kept[0]?.text).toMatch(/more characters$/)
    const many = Array.from({ length: 250 }, (_, data) => ({ data }))
    const { count, kept } = withResults(first, many, new Date())
    expect([count, kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([251, 100, 251, 152])
  })

  it('tells in words what is missing, and why it ended', () => {
    expect(missedSentence(1)).toMatch(/^1 event before this one was dropped: /)
    expect(missedSentence(1200)).toMatch(/^1,200 events before this one were dropped: /)
    expect(missedSentence('unknown')).toMatch(/^Events before this one may be missing: /)
    expect(endedBy('nonsense')).toBe('The router has ended the subscription: no reason given')
  })
})
