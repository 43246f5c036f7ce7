/** Subscriptions over WebSockets by graphql-ws, and over multipart answers by Apollo Client. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '../support/router.ts'
import { type EventWorld, startEventWorld } from './support/event-world.ts'

const CHANGED = 'subscription { changed { upc price } }'
const changed = (upc: string) => ({ changed: { upc } })
const priced = (upc: string) => ({ data: { changed: { upc, price: Number(upc) * 10 } } })

const stack = new AsyncDisposableStack()
let world: EventWorld
let client: Client

beforeAll(async () => {
  world = stack.use(await startEventWorld('queue: { max_events: 2 }'))
  client = createClient({ url: world.router.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket })
  stack.defer(async () => client.dispose())
})
afterAll(() => stack.disposeAsync())

/** Keeps what a subscription of the client receives. */
function listen(query: string) {
  const results: unknown[] = []
  let end: 'complete' | readonly { readonly extensions?: unknown }[] | null = null
  const stop = client.subscribe(
    { query },
    {
      next: (result) => void results.push(result),
      error: (errors) => (end = errors as never),
      complete: () => (end = 'complete'),
    },
  )
  return {
    results,
    stop,
    get end() {
      return end
    },
  }
}

describe('a subscription over a WebSocket', () => {
  it('has its events, beside queries, and ends with its source', async () => {
    const heard = listen(CHANGED)
    await world.subscribed(1)
    world.events.send(changed('1'))
    await until(() => heard.results.length === 1, 'an event')
    const query = listen('{ __typename }')
    await until(() => query.end !== null, 'the answer to a query')
    expect([query.results, query.end]).toEqual([[{ data: { __typename: 'Query' } }], 'complete'])
    world.events.send(changed('2'))
    world.events.send(null)
    await until(() => heard.end !== null, 'the end')
    expect(heard.end).toBe('complete')
    expect(heard.results).toEqual([priced('1'), priced('2')])
  })

  it('ends at the subgraph when the client completes it', async () => {
    const heard = listen(CHANGED)
    await world.subscribed(1)
    heard.stop()
    await world.subscribed(0)
  })

  it('is told why it is refused, and why it ends', async () => {
    const refused = listen('subscription { nothing }')
    await until(() => refused.end !== null, 'a refusal')
    expect(refused.end).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
    const heard = listen(CHANGED)
    await world.subscribed(1)
    await world.publish(2, 'weight: Int')
    await until(() => heard.end !== null, 'the end')
    expect(heard.end).toMatchObject([{ extensions: { code: 'SUBSCRIPTION_SCHEMA_CHANGED' } }])
    await world.publish(3)
  })
})

describe('Apollo Client', () => {
  it('subscribes over a multipart answer', async () => {
    const apollo = new ApolloClient({
      link: new HttpLink({ uri: world.router.graphqlUrl }),
      cache: new InMemoryCache(),
    })
    stack.defer(async () => apollo.stop())
    const results: unknown[] = []
    let isOver = false
    const heard = await until(async () => {
      const subscription = apollo
        .subscribe({ query: gql('subscription { ticks }') })
        .subscribe({ next: ({ data }) => results.push(data), complete: () => (isOver = true) })
      return await Promise.resolve(subscription)
    }, 'a subscription')
    await world.subscribed(1)
    world.events.send({ ticks: 1 })
    await until(() => results.length === 1, 'an event')
    world.events.send({ ticks: 2 })
    world.events.send(null)
    await until(() => isOver, 'the end')
    expect(results).toEqual([{ ticks: 1 }, { ticks: 2 }])
    heard.unsubscribe()
  })
})
