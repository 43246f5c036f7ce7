/** Subscriptions of urql: by fetch, as event streams and multipart answers, and by graphql-ws. */
import {
  Client,
  type ExecutionResult,
  fetchExchange,
  type OperationResult,
  subscriptionExchange,
} from '@urql/core'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventWorld, startEventWorld } from '../support/event-world.ts'
import { startRouterPair } from '../support/router-pair.ts'
import { CHANGED, changed, Heard, priced, stopBetweenEvents } from './heard.ts'

const stack = new AsyncDisposableStack()
let world: EventWorld

beforeAll(async () => {
  world = stack.use(await startEventWorld())
})
afterAll(() => stack.disposeAsync())

/** urql as its guide sets it up with graphql-ws. */
function overSockets(url: string): Client {
  const sockets = createClient({ url })
  stack.defer(async () => sockets.dispose())
  const exchange = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => {
        // Only their types differ, in whether members of a result may be undefined.
        const next = (result: unknown) => sink.next(result as ExecutionResult)
        return { unsubscribe: sockets.subscribe({ query, variables }, { ...sink, next }) }
      },
    }),
  })
  return new Client({ url, exchanges: [exchange] })
}

function overFetch(url: string, headers: Readonly<Record<string, string>> = {}): Client {
  return new Client({
    url,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    fetchOptions: { headers },
  })
}

/** Keeps the results of a subscription; each has `data`, and `error` where there is one. */
function listen(client: Client, query: string) {
  const heard = new Heard()
  const subscription = client.subscription(query, {}).subscribe(({ data, error }: OperationResult) => {
    heard.next(error === undefined ? data : { data, error })
  })
  return { heard, unsubscribe: () => subscription.unsubscribe() }
}

const MULTIPART = { accept: 'multipart/mixed;subscriptionSpec="1.0"' }

describe.each<[string, (world: EventWorld) => Client]>([
  ['over an event stream', ({ router }) => overFetch(router.graphqlUrl)],
  ['over a multipart answer', ({ router }) => overFetch(router.graphqlUrl, MULTIPART)],
  ['over a WebSocket', ({ router }) => overSockets(router.graphqlUrl.replace('http', 'ws'))],
])('urql %s', (_how, open) => {
  it('has the events of a subscription, and leaves it', async () => {
    const { heard, unsubscribe } = listen(open(world), CHANGED)
    await world.subscribed(1)
    world.events.send(changed('1'))
    await heard.has(1)
    world.events.send(changed('2'))
    await heard.has(2)
    expect(heard.results).toMatchObject([priced('1'), priced('2')])
    unsubscribe()
    await world.subscribed(0)
  })

  it('is told why a subscription is refused', async () => {
    const { heard } = listen(open(world), 'subscription { nothing }')
    await heard.has(1)
    expect(heard.results[0]).toMatchObject({
      error: { graphQLErrors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    })
  })

  it('is told why a subscription ends', async () => {
    await using own = await startEventWorld()
    const { heard } = listen(open(own), CHANGED)
    await own.subscribed(1)
    await own.publish(2, 'weight: Int')
    await heard.has(1)
    expect(heard.results[0]).toMatchObject({
      error: { graphQLErrors: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_CHANGED' } }] },
    })
  })
})

describe('urql whose router stops', () => {
  it('gets the next event from another one over graphql-ws', async () => {
    await using pair = await startRouterPair()
    const { heard, unsubscribe } = listen(overSockets(pair.socketUrl), CHANGED)
    await stopBetweenEvents(pair, heard)
    expect(heard.results).toMatchObject([priced('1'), priced('2')])
    unsubscribe()
  })

  it('is told that the stream was cut over fetch, and subscribes again only if it is told to', async () => {
    await using pair = await startRouterPair()
    const client = overFetch(pair.url)
    const first = listen(client, CHANGED)
    await pair.world.subscribed(1)
    pair.world.events.send(changed('1'))
    await first.heard.has(1)
    await pair.stopFirst()
    await first.heard.has(2)
    expect(first.heard.results[1]).toMatchObject({ error: { networkError: expect.any(Error) } })
    const again = listen(client, CHANGED)
    await pair.world.subscribed(1)
    pair.world.events.send(changed('2'))
    await again.heard.has(1)
    expect(again.heard.results.at(-1)).toMatchObject(priced('2'))
    first.unsubscribe()
    again.unsubscribe()
  })
})
