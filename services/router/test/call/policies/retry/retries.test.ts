/** Subgraphs that fail for a while, over HTTP, and a router that asks them again. */
import { createServer, type RequestListener } from 'node:http'
import { fetchesOf, type TraceFetch } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../../support/artifacts.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { startHeldSubgraph } from '../../../support/held-subgraph.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../../../support/router.ts'
import { closeServer, listenOnFreePort, startSubgraph, type TestSubgraph } from '../../../support/subgraph.ts'
import { traceIn } from '../../../tracing/recorder/traced.ts'

const RETRY = 'retry: { max_retries: 3, backoff: 1ms, max_backoff: 2ms }'
const SETTINGS = `subgraphs: { ${RETRY} }`
const BOTH = '{ product(upc: "1") { name reviews { body } } }'
/** Of two subgraphs that do not need each other. */
const apart = (name = 'x') => `{ product(upc: "1") { name } reviewHeader(name: "${name}") }`
const KEPT = { product: { name: expect.any(String) }, reviewHeader: null }
const NAME = '{ product(upc: "1") { name } }'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: TestSubgraph
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startSubgraph('products'))
})
afterAll(() => stack.disposeAsync())

type Illness = 'reset' | 'hang' | 'break-off' | number

/** Reviews that fail as listed, one call after the other, and then answer. */
async function startIllSubgraph(use: AsyncDisposableStack, illnesses: Illness[], headers = {}) {
  let calls = 0
  const listener: RequestListener = (request, response) => {
    calls++
    const illness = illnesses.shift()
    if (illness === 'reset') request.socket.destroy()
    else if (illness === 'break-off') response.writeHead(200).write('{', () => response.destroy())
    if (typeof illness === 'string') return
    request.resume().on('end', () => {
      const product = { __typename: 'Product', upc: '1', name: 'Table', reviews: [{ body: 'Fine' }] }
      const body = JSON.stringify({ data: { product, _entities: [product], reviewHeader: 'Fine' } })
      const [status, text] = illness === undefined ? [200, body] : [illness, '<html>ill</html>']
      const type = illness === undefined ? 'application/json' : 'text/html'
      response.writeHead(status, { 'content-type': type, ...headers }).end(text)
    })
  }
  const server = createServer(listener)
  const port = await listenOnFreePort(server)
  use.defer(() => closeServer(server))
  return { url: `http://127.0.0.1:${port}/graphql`, calls: () => calls, server, port }
}

let revision = 0
async function routerFor(
  use: AsyncDisposableStack,
  urls: { readonly products: string; readonly reviews: string },
  settings = SETTINGS,
): Promise<TestRouter> {
  await world.publish({ revision: ++revision, base: buildArtifact('base', urls) })
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

/** A router whose reviews are ill. */
async function withIllReviews(
  use: AsyncDisposableStack,
  illnesses: Illness[],
  { settings = SETTINGS, headers = {} } = {},
) {
  const ill = await startIllSubgraph(use, illnesses, headers)
  return { ill, router: await routerFor(use, { products: products.url, reviews: ill.url }, settings) }
}

const codes = ({ json }: Reply) => json.errors?.map(({ extensions }) => extensions['code'])
const events = (router: TestRouter, name: string) => router.logs.filter(({ event }) => event === name)

describe('a call of a query that fails', () => {
  it.each([
    ['is reset', ['reset', 'reset']],
    ['is answered with 503, 502 and 504', [503, 502, 504]],
  ] as const)('is made again when it %s', async (_, illnesses) => {
    await using use = new AsyncDisposableStack()
    const { ill, router } = await withIllReviews(use, [...illnesses])
    const { json } = await post(router, { query: BOTH })
    expect(json.errors).toBeUndefined()
    expect(json.data?.['product']).toMatchObject({ reviews: [{ body: 'Fine' }] })
    expect(ill.calls()).toBe(illnesses.length + 1)
    expect(events(router, 'subgraph.failed')).toEqual([])
    expect(events(router, 'subgraph.retried')).toMatchObject([{ subgraph: 'reviews', count: 1 }])
  })

  it('is made again when nobody listens, until somebody does', async () => {
    await using use = new AsyncDisposableStack()
    const ill = await startIllSubgraph(use, [])
    const settings = 'subgraphs: { retry: { max_retries: 10, backoff: 500ms, max_backoff: 500ms } }'
    const router = await routerFor(use, { products: products.url, reviews: ill.url }, settings)
    await closeServer(ill.server)
    const reply = post(router, { query: BOTH })
    await until(() => events(router, 'subgraph.retried').length === 1, 'the first attempt has failed')
    await new Promise<void>((resolve) => ill.server.listen(ill.port, '127.0.0.1', resolve))
    expect((await reply).json.errors).toBeUndefined()
  })

  it.each([
    ['an answer that was broken off', 'break-off', 'SUBGRAPH_INVALID_RESPONSE'],
    ['a status that is not listed', 500, 'SUBGRAPH_HTTP_ERROR'],
    ['a redirect', 302, 'SUBGRAPH_INVALID_RESPONSE'],
    ['HTML in place of JSON', 200, 'SUBGRAPH_INVALID_RESPONSE'],
  ] as const)('is not made again for %s', async (_, illness, code) => {
    await using use = new AsyncDisposableStack()
    const { ill, router } = await withIllReviews(use, [illness])
    const reply = await post(router, { query: apart() })
    expect(codes(reply)).toEqual([code])
    expect(reply.json.errors?.[0]?.path).toEqual(['reviewHeader'])
    expect(reply.json.data).toEqual(KEPT)
    expect(ill.calls()).toBe(1)
  })

  it('is not made again unless the settings say so', async () => {
    await using use = new AsyncDisposableStack()
    const { ill, router } = await withIllReviews(use, [503], { settings: '' })
    expect(codes(await post(router, { query: BOTH }))).toEqual(['SUBGRAPH_HTTP_ERROR'])
    expect(ill.calls()).toBe(1)
  })

  it('has the settings of its subgraph', async () => {
    await using use = new AsyncDisposableStack()
    const settings = `subgraphs: { ${RETRY}, overrides: { reviews: { retry: { statuses: [429], max_retries: 1 } } } }`
    const { ill, router } = await withIllReviews(use, [429, 503, 429], { settings })
    expect(codes(await post(router, { query: BOTH }))).toEqual(['SUBGRAPH_HTTP_ERROR'])
    expect(ill.calls()).toBe(2)
    expect(codes(await post(router, { query: BOTH }))).toBeUndefined()
    expect(ill.calls()).toBe(4)
  })

  it('is not made again when the subgraph asks for more time than there is', async () => {
    await using use = new AsyncDisposableStack()
    const { ill, router } = await withIllReviews(use, [503], { headers: { 'retry-after': '3600' } })
    expect(codes(await post(router, { query: BOTH }))).toEqual(['SUBGRAPH_HTTP_ERROR'])
    expect(ill.calls()).toBe(1)
  })

  it('has one time limit for all attempts', async () => {
    await using use = new AsyncDisposableStack()
    // Only the subgraph that is ill has little time: a busy machine takes any for the other one.
    const settings = `subgraphs: { overrides: { reviews: { timeout: 300ms } }, ${RETRY} }`
    const { router } = await withIllReviews(use, ['reset', 'hang'], { settings })
    const reply = await post(router, { query: apart() })
    expect(codes(reply)).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(reply.json.data).toEqual(KEPT)
  })

  it('shows its attempts in a trace', async () => {
    await using use = new AsyncDisposableStack()
    const settings = `engine: { force_unauthenticated_request_tracing: true }\n${SETTINGS}`
    const { ill, router } = await withIllReviews(use, [503, 'reset'], { settings })
    const attempts = async (headers: Record<string, string> = {}) => {
      const reply = await post(router, { query: BOTH }, { 'x-vendor-trace': 'true', ...headers })
      const reviews = fetchesOf(traceIn(reply)).find(({ source_name }) => source_name === 'reviews')
      return (reviews as TraceFetch).trace
    }
    const { failed_attempts: failed = [], output } = await attempts()
    expect(failed.map(({ status_code }) => status_code)).toEqual([503, undefined])
    for (const attempt of failed) expect(attempt.duration_load_nanoseconds).toBeGreaterThan(0)
    expect(failed.map(({ url }) => url)).toEqual([ill.url, ill.url])
    expect(failed.map(({ message }) => message)).toEqual([undefined, expect.stringMatching(/closed|reset/i)])
    expect(output).toMatchObject({ status_code: 200 })
    expect(await attempts()).not.toHaveProperty('failed_attempts')
  })

  it('is one call for all who wait for it', async () => {
    await using use = new AsyncDisposableStack()
    const { ill, router } = await withIllReviews(use, [503, 503])
    const replies = await Promise.all(
      [BOTH, `${BOTH} `].map((query) => post(router, { query }, { 'x-request-id': 'same' })),
    )
    for (const { json } of replies) expect(json.errors).toBeUndefined()
    expect(ill.calls()).toBeLessThanOrEqual(4)
  })
})

it('a call of a mutation is never made again', async () => {
  await using use = new AsyncDisposableStack()
  const ill = await startIllSubgraph(use, [503, 'reset'])
  const router = await routerFor(use, { products: ill.url, reviews: products.url })
  const query = 'mutation { rename(upc: "1", name: "x") { name } }'
  expect(codes(await post(router, { query }))).toEqual(['SUBGRAPH_HTTP_ERROR'])
  expect(codes(await post(router, { query }))).toEqual(['SUBGRAPH_UNREACHABLE'])
  expect(ill.calls()).toBe(2)
})

it('a call is not made again when its client has left', async () => {
  await using use = new AsyncDisposableStack()
  const held = use.use(await startHeldSubgraph())
  const settings = 'subgraphs: { retry: { max_retries: 3, backoff: 1h, max_backoff: 1h }, timeout: 2h }'
  const router = await routerFor(use, { products: held.url, reviews: products.url }, settings)
  const leaving = new AbortController()
  const sent = fetch(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: NAME }),
    signal: leaving.signal,
  })
  await until(() => held.calls.length === 1, 'the call is made')
  held.calls[0]?.breakOff()
  await until(() => events(router, 'subgraph.retried').length === 1, 'it has failed')
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await until(() => router.activeRequests() === 0, 'the request is over')
  expect(held.calls).toHaveLength(1)
})

it('a subgraph that fails all calls gets a tenth more of them, and ten, and is served again once it is well', async () => {
  await using use = new AsyncDisposableStack()
  const CALLS = 400
  const illnesses: Illness[] = Array.from({ length: CALLS * 4 }, (_, index) => (index % 2 ? 503 : 'reset'))
  const { ill, router } = await withIllReviews(use, illnesses)
  const batches = Array.from({ length: CALLS / 20 }, (_, batch) => batch)
  for (const batch of batches) {
    const replies = await Promise.all(
      // A number in each keeps them from being one call.
      Array.from({ length: 20 }, (_, index) => post(router, { query: apart(`x-${batch}-${index}`) })),
    )
    for (const { json } of replies) expect(json.data?.['product']).toEqual(KEPT.product)
  }
  expect(ill.calls()).toBeLessThanOrEqual(CALLS * 1.1 + 10)
  expect(events(router, 'subgraph.retries-spent').length).toBeGreaterThan(0)
  illnesses.length = 0
  expect((await post(router, { query: apart() })).json.data).toMatchObject({ reviewHeader: 'Fine' })
})
