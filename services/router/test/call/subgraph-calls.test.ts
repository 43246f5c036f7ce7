import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { posted } from '../support/raw-http.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

async function routerFor(
  use: AsyncDisposableStack,
  settings: string,
  productsUrl = shop.products.url,
): Promise<TestRouter> {
  const world = use.use(await ConfigWorld.create())
  const base = buildArtifact('base', { products: productsUrl, reviews: shop.reviews.url })
  await world.publish({ revision: 1, base, flags: { next: shop.flag } })
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

async function odd(use: AsyncDisposableStack, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listenOnFreePort(server)
  use.defer(() => closeServer(server))
  return `http://127.0.0.1:${port}/graphql`
}

describe('headers of subgraph requests', () => {
  const query = `{
    auth: header(name: "authorization") tenant: header(name: "tenant") agent: header(name: "x-agent")
    key: header(name: "x-key") cookie: header(name: "cookie") host: header(name: "host")
    reviewsKey: reviewHeader(name: "x-key")
  }`
  const incoming = { authorization: 'Bearer t', cookie: 'a=1', 'x-key': 'from client' }

  it('hold nothing of the client unless a rule says so', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, '')
    const { json } = await post(router, { query }, incoming)
    expect(json.data).toMatchObject({
      auth: null,
      tenant: null,
      agent: null,
      key: null,
      cookie: null,
      reviewsKey: null,
    })
    expect(json.data?.['host']).toBe(`127.0.0.1:${shop.products.port}`)
  })

  it('follow the rules: propagate, rename, default, set; a subgraph rule wins', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(
      use,
      `
headers:
  request:
    - propagate: Authorization
    - { propagate: x-tenant, rename: tenant, default: nobody }
    - { set: x-key, value: everybody }
  subgraphs:
    reviews: { request: [{ set: X-Key, value: reviews }] }
    products-next: { request: [{ set: x-key, value: next }] }
`,
    )
    expect((await post(router, { query }, incoming)).json.data).toMatchObject({
      auth: 'Bearer t',
      tenant: 'nobody',
      key: 'everybody',
      reviewsKey: 'reviews',
    })
    expect((await post(router, { query }, { 'x-tenant': 'acme' })).json.data).toMatchObject({
      auth: null,
      tenant: 'acme',
    })
    // A feature subgraph goes by its own name.
    expect((await post(router, { query }, { 'x-feature-flag': 'next' })).json.data).toMatchObject({
      key: 'next',
    })
  })

  it('are sent although the client declares them to be of its connection only', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, 'headers: { request: [{ propagate: authorization }] }')
    const headers = { authorization: 'Bearer t', connection: 'keep-alive, Authorization' }
    expect((await post(router, { query }, headers)).json.data).toMatchObject({ auth: 'Bearer t' })
  })

  it('continue the trace of the client, with a span of their own, or begin one', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, '')
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const traced = '{ parent: header(name: "traceparent") state: header(name: "tracestate") }'
    const parent = `00-${trace}-b7ad6b7169203331-01`
    const { json } = await post(router, { query: traced }, { traceparent: parent, tracestate: 'a=b' })
    expect(json.data?.['parent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(json.data?.['parent']).not.toBe(parent)
    expect(json.data?.['state']).toBe('a=b')
    expect(router.logs.findLast(({ event }) => event === 'request.answered')).toMatchObject({
      trace_id: trace,
    })

    const { json: fresh } = await post(router, { query: traced }, { traceparent: 'garbage' })
    expect(fresh.data?.['parent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })
})

describe('a subgraph that fails', () => {
  const query = '{ topProducts { name } reviewHeader(name: "accept") }'

  async function failure(settings: string, productsUrl: string) {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, settings, productsUrl)
    const reply = await post(router, { query: '{ fails reviewHeader(name: "content-type") }' })
    expect(reply.status).toBe(200)
    expect(reply.json.data).toEqual({ fails: null, reviewHeader: 'application/json' })
    const [error] = reply.json.errors ?? []
    expect(error?.extensions['serviceName']).toBe('products')
    expect(error?.path).toEqual(['fails'])
    expect(reply.text).not.toMatch(/127\.0\.0\.1|http:|localhost|169\.254/)
    return error
  }

  it('to be there is SUBGRAPH_UNREACHABLE', async () => {
    const server = createServer()
    const port = await listenOnFreePort(server)
    await closeServer(server)
    const error = await failure('', `http://127.0.0.1:${port}/graphql`)
    expect(error?.extensions['code']).toBe('SUBGRAPH_UNREACHABLE')
  })

  it('is logged with the trace of the request that it hurt', async () => {
    await using use = new AsyncDisposableStack()
    const url = await odd(use, (_, response) => response.socket?.destroy())
    const router = await routerFor(use, '', url)
    const trace = '0af7651916cd43dd8448eb211c80319c'
    await post(router, { query: '{ fails }' }, { traceparent: `00-${trace}-b7ad6b7169203331-01` })
    expect(router.logs.find(({ event }) => event === 'subgraph.failed')).toMatchObject({
      level: 'warn',
      code: 'SUBGRAPH_UNREACHABLE',
      subgraph: 'products',
      trace_id: trace,
    })
  })

  it('to answer in time is SUBGRAPH_TIMEOUT, by the limit of that subgraph', async () => {
    await using use = new AsyncDisposableStack()
    const url = await odd(use, () => {})
    const settings = 'subgraphs: { timeout: 20s, overrides: { products: { timeout: 150ms } } }'
    const error = await failure(settings, url)
    expect(error?.extensions['code']).toBe('SUBGRAPH_TIMEOUT')
    expect(error?.message).toContain('150 ms')
  })

  it('to answer in time, because no connection to it became free, is logged as that', async () => {
    await using use = new AsyncDisposableStack()
    const asked: ServerResponse[] = []
    const url = await odd(use, (_, response) => asked.push(response))
    const world = use.use(await ConfigWorld.create())
    // One origin, so the two share their connections.
    await world.publish({ revision: 1, base: buildArtifact('base', { products: url, reviews: url }) })
    const settings = 'subgraphs: { max_connections: 1, overrides: { reviews: { timeout: 150ms } } }'
    const router = use.use(await routerOn(world, { settings }))
    await router.ready
    const first = post(router, { query: '{ header(name: "host") }' })
    await until(() => asked.length === 1, 'the only connection is taken')
    const { text } = await post(router, { query: '{ reviewHeader(name: "host") }' })
    expect(text).toContain('SUBGRAPH_TIMEOUT')
    expect(text).not.toContain('max_connections')
    expect(asked).toHaveLength(1)
    expect(router.logs.find(({ event }) => event === 'subgraph.failed')).toMatchObject({
      subgraph: 'reviews',
      detail: expect.stringMatching(/^never sent: .*subgraphs\.max_connections/),
    })
    asked[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"header":"x"}}')
    expect((await first).json.data).toEqual({ header: 'x' })
  })

  it('to finish its answer in time is SUBGRAPH_TIMEOUT too', async () => {
    await using use = new AsyncDisposableStack()
    const url = await odd(use, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":')
    })
    expect((await failure('subgraphs: { timeout: 150ms }', url))?.extensions['code']).toBe('SUBGRAPH_TIMEOUT')
  })

  it.each([
    ['HTML', 502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>', 'SUBGRAPH_HTTP_ERROR'],
    ['an error status without a body', 503, {}, '', 'SUBGRAPH_HTTP_ERROR'],
    ['broken JSON', 200, { 'content-type': 'application/json' }, '{"data":', 'SUBGRAPH_INVALID_RESPONSE'],
    ['a redirect', 302, { location: 'http://elsewhere.invalid/' }, '', 'SUBGRAPH_INVALID_RESPONSE'],
    ['JSON without data', 200, { 'content-type': 'application/json' }, '{}', 'SUBGRAPH_INVALID_RESPONSE'],
    [
      'JSON without data and an error status',
      500,
      { 'content-type': 'application/json' },
      '{"a":1}',
      'SUBGRAPH_HTTP_ERROR',
    ],
    [
      'more than the limit',
      200,
      { 'content-type': 'application/json' },
      `{"data":{"fails":"${'x'.repeat(3000)}"}}`,
      'SUBGRAPH_RESPONSE_TOO_LARGE',
    ],
  ])('by sending %s has its code', async (_, status, headers, body, code) => {
    await using use = new AsyncDisposableStack()
    const url = await odd(use, (_request, response) => response.writeHead(status, headers).end(body))
    expect((await failure('subgraphs: { max_response_size: 2KiB }', url))?.extensions['code']).toBe(code)
  })

  it('by breaking off its answer has its code', async () => {
    await using use = new AsyncDisposableStack()
    const url = await odd(use, (_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        .write('{"data":')
      setTimeout(() => response.destroy(), 20)
    })
    expect((await failure('', url))?.extensions['code']).toBe('SUBGRAPH_INVALID_RESPONSE')
  })

  it.each([
    'http://169.254.169.254/graphql',
    'http://[fe80::1]/graphql',
    'http://[::ffff:169.254.169.254]/graphql',
    'http://[fd00:ec2::254]/graphql',
  ])('by being at %s is never connected to', async (url) => {
    expect((await failure('', url))?.extensions['code']).toBe('SUBGRAPH_ADDRESS_NOT_ALLOWED')
  })

  it('by being at an address that is written as a number is not even taken into service', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const products = 'http://2852039166/graphql'
    await world.publish({ revision: 1, base: buildArtifact('base', { products, reviews: shop.reviews.url }) })
    const router = use.use(await routerOn(world))
    const line = await until(
      () => router.logs.find(({ event }) => event === 'config.rejected'),
      'the refusal',
    )
    expect(line).toMatchObject({ code: 'MANIFEST_NOT_BUILT' })
  })

  it('by not being on the list of allowed hosts is not connected to', async () => {
    const settings = `subgraphs: { allowed_hosts: ["127.0.0.0/8"] }`
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, settings)
    expect((await post(router, { query })).json.errors).toBeUndefined()
    const named = await routerFor(use, 'subgraphs: { allowed_hosts: ["*.example"] }')
    const codes = (await post(named, { query })).json.errors?.map(({ extensions }) => extensions['code'])
    expect(new Set(codes)).toEqual(new Set(['SUBGRAPH_ADDRESS_NOT_ALLOWED']))
    const local = `http://localhost:${shop.products.port}/graphql`
    const byName = await routerFor(use, 'subgraphs: { allowed_hosts: [localhost, "127.0.0.1"] }', local)
    expect((await post(byName, { query })).json.errors).toBeUndefined()
    const resolved = await routerFor(use, 'subgraphs: { allowed_hosts: ["10.0.0.0/8"] }', local)
    expect((await post(resolved, { query: '{ fails }' })).json.errors?.[0]?.extensions['code']).toBe(
      'SUBGRAPH_ADDRESS_NOT_ALLOWED',
    )
  })

  it('shows the extensions that are allowed, and only those', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, 'subgraph_errors: { allowed_extensions: [code, hint] }')
    const [error] = (await post(router, { query: '{ fails }' })).json.errors ?? []
    expect(error?.extensions).toEqual({ code: 'DB_DOWN', hint: 'retry', serviceName: 'products' })
  })
})

describe('a client that leaves', () => {
  it('takes its subgraph requests with it, and is no error', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerFor(use, '')
    const before = shop.products.requests.length
    const socket = connect(router.port, '127.0.0.1', () => {
      socket.write(posted('{ slow(milliseconds: 60000) }'))
    })
    await until(() => shop.products.requests.length > before, 'the subgraph is called')
    socket.destroy()
    await until(() => shop.products.requests.at(-1)?.aborted, 'the subgraph request is cut')
    const line = await until(
      () => router.logs.findLast(({ event }) => event === 'request.answered'),
      'the request is logged',
    )
    expect(line).toMatchObject({ aborted: true, status: 0 })
    const troubles = router.logs.filter(({ level }) => level === 'error' || level === 'warn')
    expect(troubles.map(({ event }) => event)).toEqual(['router.tracing-active'])
  })
})
