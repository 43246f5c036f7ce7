/** Subgraphs that listen on Unix sockets. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createCertificate, recordSpans } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RouterConfigError } from '../../src/settings/config-error.ts'
import { loadRouterConfig } from '../../src/config/router-config.ts'
import { LoadWatch } from '../../src/transport/load/load-watch.ts'
import { Origins } from '../../src/call/origins.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { REQUEST, send } from './http1/support.ts'

const HOST = 'products.test'
const URL_OF_PRODUCTS = `http://${HOST}:4010/graphql?from=router`
/** A network in which nothing of this machine is. */
const ELSEWHERE = 'allowed_networks: [203.0.113.0/24], allowed_hosts: [elsewhere.test]'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-sockets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let sockets = 0
const newPath = (): string => join(folder, `${++sockets}.sock`)

type SocketSubgraph = {
  readonly path: string
  readonly requests: { readonly host: string | undefined; readonly url: string | undefined }[]
  readonly connections: () => number
}

/** Answers any query with `version`. */
async function startSubgraph(
  use: AsyncDisposableStack,
  version = 'socket',
  {
    path = newPath(),
    backlog = 511,
    create = (listener) => createServer(listener),
  }: {
    readonly path?: string
    readonly backlog?: number
    readonly create?: (listener: RequestListener) => Server
  } = {},
): Promise<SocketSubgraph> {
  const requests: SocketSubgraph['requests'] = []
  let connections = 0
  const server = create(({ headers, url }, response) => {
    requests.push({ host: headers.host, url })
    response.end(JSON.stringify({ data: { version } }))
  })
  server.on('connection', () => void connections++)
  server.listen({ path, backlog })
  await once(server, 'listening')
  use.defer(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { path, requests, connections: () => connections }
}

async function routerFor(
  use: AsyncDisposableStack,
  subgraphs: string,
  products = URL_OF_PRODUCTS,
): Promise<TestRouter> {
  const world = use.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: buildArtifact('base', { products, reviews: products }) })
  const settings = `{ subgraphs: { ${subgraphs} }, traffic: { share_inflight: false } }`
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

const at = (path: string): string => `overrides: { products: { socket_path: ${path} } }`

/** What the subgraph says, or the code of the error with what the log says of it. */
async function callOf(router: TestRouter): Promise<unknown> {
  const { json } = await post(router, { query: '{ version }' })
  if (json.errors === undefined) return json.data?.['version']
  const failed = router.logs.findLast(({ event }) => event === 'subgraph.failed')
  return `${String(json.errors[0]?.extensions['code'])}: ${String(failed?.['detail'])}`
}

describe('calls of a subgraph on a Unix socket', () => {
  it('gets host and path of its URL, over one connection for call after call', async () => {
    await using stack = new AsyncDisposableStack()
    const subgraph = await startSubgraph(stack)
    const router = await routerFor(stack, at(subgraph.path))
    for (let call = 0; call < 3; call++) expect(await callOf(router)).toBe('socket')
    const request = { host: `${HOST}:4010`, url: '/graphql?from=router' }
    expect(subgraph.requests).toEqual([request, request, request])
    expect(subgraph.connections()).toBe(1)
  })

  it('is called whatever networks and hosts may be called over TCP', async () => {
    await using stack = new AsyncDisposableStack()
    const { path } = await startSubgraph(stack)
    const url = 'http://127.0.0.1:9/graphql'
    const router = await routerFor(stack, `${ELSEWHERE}, ${at(path)}`, url)
    expect(await callOf(router)).toBe('socket')
    const [told] = router.logs.filter(({ event }) => event === 'config.subgraphs-not-allowed')
    expect(JSON.stringify(told)).toContain('"reviews"')
    expect(JSON.stringify(told)).not.toContain('"products"')
  })

  it('is unreachable while there is no socket, and is called as soon as there is one', async () => {
    await using stack = new AsyncDisposableStack()
    const path = newPath()
    const router = await routerFor(stack, at(path))
    expect(await callOf(router)).toBe(`SUBGRAPH_UNREACHABLE: connect ENOENT ${path}`)
    await startSubgraph(stack, 'late', { path })
    expect(await callOf(router)).toBe('late')
  })

  it('is unreachable where the path is that of another file', async () => {
    await using stack = new AsyncDisposableStack()
    const path = newPath()
    await writeFile(path, '')
    const router = await routerFor(stack, at(path))
    expect(await callOf(router)).toBe(`SUBGRAPH_UNREACHABLE: connect ECONNREFUSED ${path}`)
  })

  it('is called again for a query, where retries are on, until its socket is there', async () => {
    await using stack = new AsyncDisposableStack()
    const path = newPath()
    const retry = 'retry: { max_retries: 10, backoff: 500ms, max_backoff: 500ms }'
    const router = await routerFor(stack, `${retry}, ${at(path)}`)
    const answer = callOf(router)
    const isRetried = () => router.logs.some(({ event }) => event === 'subgraph.retried')
    await until(isRetried, 'the first attempt has failed')
    await startSubgraph(stack, 'late', { path })
    expect(await answer).toBe('late')
  })

  it('has its circuit opened as any other', async () => {
    await using stack = new AsyncDisposableStack()
    const path = newPath()
    const circuit = 'circuit_breaker: { enabled: true, min_calls: 2, open_for: 1h }'
    const router = await routerFor(stack, `${circuit}, ${at(path)}`)
    for (let call = 0; call < 2; call++) expect(await callOf(router)).toMatch(/^SUBGRAPH_UNREACHABLE/)
    await startSubgraph(stack, 'late', { path })
    expect(await callOf(router)).toMatch(/^SUBGRAPH_CIRCUIT_OPEN/)
  })

  it('is shown by spans with its socket', async () => {
    await using stack = new AsyncDisposableStack()
    const spans = stack.use(recordSpans())
    const { path } = await startSubgraph(stack)
    const router = await routerFor(stack, at(path))
    await callOf(router)
    const span = await until(
      () => spans.finished().find(({ name }) => name === 'subgraph products'),
      'the span of the call',
    )
    expect(span.attributes).toMatchObject({
      'network.transport': 'unix',
      'network.peer.address': path,
      'server.address': HOST,
      'server.port': 4010,
    })
  })

  it('is connected to without a look-up of its host, and traces show when', async () => {
    await using stack = new AsyncDisposableStack()
    const { path } = await startSubgraph(stack)
    let time = 0
    const watch = new LoadWatch(() => ++time)
    const { pool } = await lease(stack, `subgraphs: { ${at(path)} }`, watch)
    using loads = watch.begin()
    const done = Promise.withResolvers<string>()
    const call = loads.dispatch(pool, REQUEST, {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: () => done.resolve('answered'),
      onResponseError: (_, error) => done.resolve(error.message),
    })
    expect(await done.promise).toBe('answered')
    const stats = Object.keys(call.times(0).load_stats ?? {})
    expect(stats).toEqual(expect.arrayContaining(['connect_start', 'connect_done', 'wrote_request']))
    expect(stats).not.toContain('dns_start')
  })
})

async function lease(stack: AsyncDisposableStack, text: string, loads = new LoadWatch()) {
  const { subgraphs } = loadRouterConfig({ file: { path: 'router.yaml', text } })
  const origins = stack.use(new Origins(subgraphs, { loads }))
  await origins.prepare()
  const { origin } = new URL(URL_OF_PRODUCTS)
  return { pool: origins.lease(origin, 'products').value, origins, origin }
}

describe('a subgraph on a Unix socket', () => {
  it('with https: in its URL speaks TLS there, and shows a certificate for the host in its URL', async () => {
    await using stack = new AsyncDisposableStack()
    const authority = createCertificate({ name: 'test authority', authority: true })
    const file = join(folder, 'ca.pem')
    await writeFile(file, authority.cert)
    const create = (hosts: readonly string[]) => (listener: RequestListener) =>
      createHttps(createCertificate({ name: 'subgraph', hosts, signedBy: authority }), listener)
    const right = await startSubgraph(stack, 'secure', { create: create([HOST]) })
    const wrong = await startSubgraph(stack, 'wrong', { create: create(['other.test']) })
    const url = `https://${HOST}/graphql`
    const tls = `tls: { ca_file: ${file} }`
    expect(await callOf(await routerFor(stack, `${tls}, ${at(right.path)}`, url))).toBe('secure')
    const refused = await callOf(await routerFor(stack, `${tls}, ${at(wrong.path)}`, url))
    expect(refused).toMatch(/^SUBGRAPH_UNREACHABLE: .*does not match certificate/)
  })

  it('shares no connection and no call with another one of the same URL', async () => {
    await using stack = new AsyncDisposableStack()
    const sockets = (products: string, reviews: string) =>
      `subgraphs: { overrides: { products: { socket_path: ${products} }, reviews: { socket_path: ${reviews} } } }`
    const { origins, origin } = await lease(stack, sockets('/run/a', '/run/a/b'))
    const keys = ['products', 'reviews', 'inventory'].map((name) => origins.lease(origin, name).key)
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe(origin)
    const [products, reviews] = keys
    expect(`${products}/b/graphql`).not.toBe(`${reviews}/graphql`)
  })

  it('that accepts slowly is called all the same: connections are made a moment later', async () => {
    await using stack = new AsyncDisposableStack()
    const { path } = await startSubgraph(stack, 'busy', { backlog: 1 })
    const { pool } = await lease(stack, `subgraphs: { ${at(path)} }`)
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(pool).done))
    expect(answers.filter(({ error }) => error !== null)).toEqual([])
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"data":{"version":"busy"}}']))
  })

  it('that accepts nothing is unreachable after the time for connecting', async () => {
    await using stack = new AsyncDisposableStack()
    const path = newPath()
    const worker = new Worker(NEVER_ACCEPTS, { eval: true, workerData: path })
    stack.defer(async () => void (await worker.terminate()))
    await once(worker, 'message')
    const { pool } = await lease(stack, `subgraphs: { connect_timeout: 50ms, timeout: 1s, ${at(path)} }`)
    const calls = Array.from({ length: 10 }, () => send(pool))
    const last = await calls[9]?.done
    expect(last?.error).toMatchObject({ code: 'EAGAIN' })
  })
})

/** Listens, and is busy with something else for ever. */
const NEVER_ACCEPTS = `
  const { parentPort, workerData } = require('node:worker_threads')
  require('node:net').createServer().listen({ path: workerData, backlog: 1 }, () => {
    parentPort.postMessage('listening')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

describe('the setting socket_path', () => {
  const problems = (path: string, urls?: readonly string[]): readonly string[] => {
    try {
      loadRouterConfig({ file: { path: 'router.yaml', text: JSON.stringify(settings(path, urls)) } })
      return []
    } catch (error) {
      if (error instanceof RouterConfigError) return error.problems
      throw error
    }
  }
  const settings = (path: string, urls?: readonly string[]) => ({
    subgraphs: { overrides: { products: { socket_path: path, urls } } },
  })

  it('goes with one URL, and not with several', () => {
    const urls = ['http://a.test/', 'http://b.test/']
    expect(problems('/run/products.sock', urls.slice(1))).toEqual([])
    expect(problems('/run/products.sock', urls)).toEqual([
      expect.stringContaining('expected at most one of urls beside it'),
    ])
  })

  it('takes absolute paths, as long as the system does', () => {
    expect(problems('/run/products.sock')).toEqual([])
    expect(problems('/run/with a space/ü.sock')).toEqual([])
    expect(problems(`/${'x'.repeat(106)}`)).toEqual([])
  })

  it.each([
    ['run/products.sock', 'absolute path'],
    ['./products.sock', 'absolute path'],
    ['unix:/run/products.sock', 'absolute path'],
    ['/run/', 'absolute path'],
    ['', 'absolute path'],
    ['/run/a\0b', 'NUL'],
    [`/${'x'.repeat(107)}`, '107 bytes'],
    [`/${'ü'.repeat(54)}`, '107 bytes'],
  ])('refuses %j', (path, reason) => {
    const [problem, ...others] = problems(path)
    expect(problem).toContain('subgraphs.overrides.products.socket_path')
    expect(problem).toContain(reason)
    expect(others).toEqual([])
  })
})
