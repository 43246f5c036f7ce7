/** Subscriptions of Relay through the network layer of its guide, with graphql-ws and with graphql-sse. */
import { createClient as createStreams } from 'graphql-sse'
import { createClient as createSockets } from 'graphql-ws'
import {
  type ConcreteRequest,
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
  type SubscribeFunction,
} from 'relay-runtime'
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

const scalar = (name: string) => ({ kind: 'ScalarField', name, alias: null, args: null, storageKey: null })

/** An artifact as the compiler of Relay writes it for `subscription Changed { changed { upc price } }`. */
function artifact(text: string): ConcreteRequest {
  const changedField = {
    kind: 'LinkedField',
    name: 'changed',
    alias: null,
    args: null,
    concreteType: 'Product',
    plural: false,
    storageKey: null,
    selections: [scalar('upc'), scalar('price')],
  }
  const node = { name: 'Changed', argumentDefinitions: [], selections: [changedField] }
  return {
    kind: 'Request',
    fragment: { ...node, kind: 'Fragment', type: 'Subscription', metadata: null, abstractKey: null },
    operation: { ...node, kind: 'Operation' },
    params: { id: null, cacheID: text, metadata: {}, name: 'Changed', operationKind: 'subscription', text },
  } as unknown as ConcreteRequest
}

type Transport = 'graphql-ws' | 'graphql-sse'

/** The function that Relay subscribes by. Both libraries take the same arguments. */
function layerOf(transport: Transport, httpUrl: string): SubscribeFunction {
  const client =
    transport === 'graphql-ws'
      ? createSockets({ url: httpUrl.replace('http', 'ws') })
      : createStreams({ url: httpUrl })
  stack.defer(async () => client.dispose())
  return ({ name, text }, variables) =>
    Observable.create((sink) =>
      client.subscribe(
        { operationName: name, query: text ?? '', variables },
        {
          next: (result) => sink.next(result as GraphQLResponse),
          error: (error) => sink.error(error as Error),
          complete: () => sink.complete(),
        },
      ),
    )
}

function listen(transport: Transport, url: string, text = CHANGED) {
  const nothing = () => Promise.reject(new Error('Relay asked for a query'))
  const environment = new Environment({
    network: Network.create(nothing, layerOf(transport, url)),
    store: new Store(new RecordSource()),
  })
  const heard = new Heard()
  const { dispose } = requestSubscription(environment, {
    subscription: artifact(text),
    variables: {},
    onNext: (data) => heard.next(structuredClone(data)),
    onCompleted: () => heard.complete(),
    onError: (error) => heard.error(error),
  })
  return { heard, dispose }
}

describe.each<Transport>(['graphql-ws', 'graphql-sse'])('Relay over %s', (transport) => {
  it('has the events of a subscription, and its end', async () => {
    const { heard } = listen(transport, world.router.graphqlUrl)
    await world.subscribed(1)
    world.events.send(changed('1'))
    await heard.has(1)
    world.events.send(changed('2'))
    await heard.has(2)
    world.events.send(null)
    await heard.isOver()
    expect([heard.results, heard.end]).toEqual([[priced('1'), priced('2')], 'complete'])
  })

  it('leaves a subscription', async () => {
    const { dispose } = listen(transport, world.router.graphqlUrl)
    await world.subscribed(1)
    dispose()
    await world.subscribed(0)
  })

  it('is told why a subscription is refused', async () => {
    const { heard } = listen(transport, world.router.graphqlUrl, 'subscription Changed { nothing }')
    await heard.isOver()
    expect(JSON.stringify(heard.end)).toContain('GRAPHQL_VALIDATION_FAILED')
  })

  it('gets the next event from another router when its router stops', async () => {
    await using pair = await startRouterPair()
    const { heard, dispose } = listen(transport, pair.url)
    await stopBetweenEvents(pair, heard)
    expect([heard.results, heard.end]).toEqual([[priced('1'), priced('2')], null])
    dispose()
  })
})
