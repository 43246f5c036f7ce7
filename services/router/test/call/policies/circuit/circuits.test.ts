/** Subgraphs that fail for a while, over HTTP, and a router that does not call them meanwhile. */
import { createServer, type ServerResponse } from 'node:http'
import { fetchesOf } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../../support/artifacts.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../../../support/router.ts'
import { closeServer, listenOnFreePort, startSubgraph, type TestSubgraph } from '../../../support/subgraph.ts'
import { traceIn } from '../../../tracing/recorder/traced.ts'

const QUERY = '{ product(upc: "1") { name } reviewHeader(name: "x") }'
const PRODUCT = { name: expect.any(String) }
const TRACING = 'engine: { force_unauthenticated_request_tracing: true }'
const circuit = (openFor: string) =>
  `subgraphs: { circuit_breaker: { enabled: true, min_calls: 4, window: 1h, open_for: ${openFor}, probes: 1 } }\n${TRACING}`

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: TestSubgraph
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startSubgraph('products'))
})
afterAll(() => stack.disposeAsync())

/** Reviews that answer with a status; those of 200 with a text, by default of GraphQL. */
async function startReviews(use: AsyncDisposableStack) {
  const reviews = { status: 503, calls: 0, url: '', text: JSON.stringify({ data: { reviewHeader: 'Fine' } }) }
  const server = createServer((request, response) => {
    reviews.calls++
    request.resume().on('end', () => {
      const isWell = reviews.status === 200
      const text = isWell ? reviews.text : '<html>ill</html>'
      response
        .writeHead(reviews.status, { 'content-type': isWell ? 'application/json' : 'text/html' })
        .end(text)
    })
  })
  reviews.url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
  use.defer(() => closeServer(server))
  return reviews
}

let revision = 0
async function started(use: AsyncDisposableStack, settings: string) {
  const reviews = await startReviews(use)
  const base = buildArtifact('base', { products: products.url, reviews: reviews.url })
  await world.publish({ revision: ++revision, base })
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return { router, reviews }
}

async function codeOf(router: TestRouter, headers = {}): Promise<unknown> {
  const { json } = await post(router, { query: QUERY }, headers)
  expect(json.data?.['product']).toEqual(PRODUCT)
  const [error] = json.errors ?? []
  if (error !== undefined) expect(error.path).toEqual(['reviewHeader'])
  return error?.extensions['code']
}
const events = (router: TestRouter, name: string) => router.logs.filter(({ event }) => event === name)

describe('calls that were never sent,', () => {
  it('because all connections were busy, do not open a circuit; those that were sent do', async () => {
    await using use = new AsyncDisposableStack()
    const held: ServerResponse[] = []
    const server = createServer((request, response) => {
      request.resume().on('end', () => held.push(response))
    })
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
    use.defer(() => closeServer(server))
    // One origin, so the two subgraphs share their connection.
    await world.publish({
      revision: ++revision,
      base: buildArtifact('base', { products: url, reviews: url }),
    })
    const breaker = 'circuit_breaker: { enabled: true, min_calls: 4, window: 1h, open_for: 1h }'
    const settings = `
traffic: { share_inflight: false }
subgraphs: { max_connections: 1, ${breaker}, overrides: { reviews: { timeout: 100ms } } }
`
    const router = use.use(await routerOn(world, { settings }))
    await router.ready
    const first = post(router, { query: '{ header(name: "host") }' })
    await until(() => held.length === 1, 'the only connection is taken')
    for (let call = 0; call < 8; call++) {
      const { json } = await post(router, { query: '{ reviewHeader(name: "x") }' })
      expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_TIMEOUT')
    }
    expect(held).toHaveLength(1)
    held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"header":"x"}}')
    expect((await first).json.data).toEqual({ header: 'x' })
    const codes = new Set<unknown>()
    for (let call = 0; call < 6; call++) {
      const { json } = await post(router, { query: '{ reviewHeader(name: "x") }' })
      codes.add(json.errors?.[0]?.extensions['code'])
    }
    expect([...codes]).toEqual(['SUBGRAPH_TIMEOUT', 'SUBGRAPH_CIRCUIT_OPEN'])
  })
})

describe('a subgraph whose calls fail', () => {
  it('is not called once enough of them have, and the data of others is kept', async () => {
    await using use = new AsyncDisposableStack()
    const { router, reviews } = await started(use, circuit('1h'))
    for (let call = 0; call < 4; call++) expect(await codeOf(router)).toBe('SUBGRAPH_HTTP_ERROR')
    for (let call = 0; call < 20; call++) expect(await codeOf(router)).toBe('SUBGRAPH_CIRCUIT_OPEN')
    expect(reviews.calls).toBe(4)
    expect(events(router, 'subgraph.circuit-opened')).toMatchObject([
      { subgraph: 'reviews', calls: 4, failures: 4, count: 1 },
    ])
    const reply = await post(router, { query: QUERY }, { 'x-vendor-trace': 'true' })
    const fetch = fetchesOf(traceIn(reply)).find(({ source_name }) => source_name === 'reviews')
    expect(fetch?.trace.error?.code).toBe('SUBGRAPH_CIRCUIT_OPEN')
    expect(fetch?.trace).not.toHaveProperty('output')
  })

  it.each(['{"data":[]}', '{"errors":{"message":"x"}}', '[]'])(
    'is not called once enough of them were answered with JSON that is no GraphQL: %s',
    async (text) => {
      await using use = new AsyncDisposableStack()
      const { router, reviews } = await started(use, circuit('1h'))
      Object.assign(reviews, { status: 200, text })
      for (let call = 0; call < 4; call++) expect(await codeOf(router)).toBe('SUBGRAPH_INVALID_RESPONSE')
      expect(await codeOf(router)).toBe('SUBGRAPH_CIRCUIT_OPEN')
      expect(reviews.calls).toBe(4)
      const failed = { subgraph: 'reviews', code: 'SUBGRAPH_INVALID_RESPONSE' }
      expect(events(router, 'subgraph.failed')[0]).toMatchObject(failed)
    },
  )

  it('is called again once probes are answered', async () => {
    await using use = new AsyncDisposableStack()
    const { router, reviews } = await started(use, circuit('1ms'))
    for (let call = 0; call < 4; call++) await codeOf(router)
    expect(events(router, 'subgraph.circuit-opened')).toHaveLength(1)
    reviews.status = 200
    await until(async () => (await codeOf(router)) === undefined, 'the subgraph is called again')
    expect(events(router, 'subgraph.circuit-closed')).toMatchObject([{ subgraph: 'reviews', count: 1 }])
    for (let call = 0; call < 5; call++) expect(await codeOf(router)).toBeUndefined()
  })

  it.each([
    ['when the settings do not say so', TRACING, 503],
    ['when one client may not see something', circuit('1h'), 403],
  ])('is called all the same %s', async (_, settings, status) => {
    await using use = new AsyncDisposableStack()
    const { router, reviews } = await started(use, settings)
    reviews.status = status
    for (let call = 0; call < 10; call++) expect(await codeOf(router)).toBe('SUBGRAPH_HTTP_ERROR')
    expect(reviews.calls).toBe(10)
  })

  it('has the settings of its own', async () => {
    await using use = new AsyncDisposableStack()
    const own =
      'subgraphs: { overrides: { reviews: { circuit_breaker: { enabled: true, min_calls: 2, open_for: 1h } } } }'
    const { router, reviews } = await started(use, own)
    expect([await codeOf(router), await codeOf(router), await codeOf(router)]).toEqual([
      'SUBGRAPH_HTTP_ERROR',
      'SUBGRAPH_HTTP_ERROR',
      'SUBGRAPH_CIRCUIT_OPEN',
    ])
    expect(reviews.calls).toBe(2)
  })
})
