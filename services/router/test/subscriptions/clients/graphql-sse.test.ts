/** The client of graphql-sse, with the settings that it has by itself: distinct connections. */
import { createClient, NetworkError } from 'graphql-sse'
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

function clientOf(url = world.router.graphqlUrl, options: { readonly retryAttempts?: number } = {}) {
  const client = createClient({ url, ...options })
  stack.defer(async () => client.dispose())
  return client
}

describe('the client of graphql-sse', () => {
  it('has the events of a subscription and its end', async () => {
    const heard = new Heard()
    clientOf().subscribe({ query: CHANGED }, heard)
    await world.subscribed(1)
    world.events.send(changed('1'))
    world.events.send(changed('2'))
    await heard.has(2)
    world.events.send(null)
    await heard.isOver()
    expect([heard.results, heard.end]).toEqual([[{ data: priced('1') }, { data: priced('2') }], 'complete'])
  })

  it('iterates over the events of a subscription with variables and an operation name', async () => {
    const query = `subscription Other { ticks } subscription Mine($type: String) { changed(type: $type) { upc } }`
    const iterator = clientOf().iterate({ query, operationName: 'Mine', variables: { type: 'tent' } })
    const first = iterator.next()
    await world.subscribed(1)
    expect(world.events.open[0]?.variables).toEqual({ type: 'tent' })
    world.events.send(changed('3'))
    expect(await first).toEqual({ done: false, value: { data: changed('3') } })
    await iterator.return?.()
    await world.subscribed(0)
  })

  it('has the answers to queries, and the errors of operations that are refused', async () => {
    const answered = new Heard()
    clientOf().subscribe({ query: '{ __typename }' }, answered)
    await answered.isOver()
    expect([answered.results, answered.end]).toEqual([[{ data: { __typename: 'Query' } }], 'complete'])
    const refused = new Heard()
    clientOf().subscribe({ query: 'subscription { nothing }' }, refused)
    await refused.isOver()
    expect([refused.results, refused.end]).toMatchObject([
      [{ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }],
      'complete',
    ])
  })

  it('is told the status of what is refused before GraphQL is looked at', async () => {
    const heard = new Heard()
    clientOf(world.router.graphqlUrl.replace('/graphql', '/nowhere'), { retryAttempts: 0 }).subscribe(
      { query: CHANGED },
      heard,
    )
    await heard.isOver()
    expect(heard.end).toBeInstanceOf(NetworkError)
    expect(heard.end).toMatchObject({ response: { status: 404 } })
  })

  it('ends at the subgraph when the application stops listening', async () => {
    const stop = clientOf().subscribe({ query: CHANGED }, new Heard())
    await world.subscribed(1)
    stop()
    await world.subscribed(0)
  })
})

it('the client of graphql-sse gets the next event from another router when its router stops', async () => {
  await using pair = await startRouterPair()
  const heard = new Heard()
  clientOf(pair.url).subscribe({ query: CHANGED }, heard)
  await stopBetweenEvents(pair, heard)
  expect([heard.results, heard.end]).toEqual([[{ data: priced('1') }, { data: priced('2') }], null])
})
