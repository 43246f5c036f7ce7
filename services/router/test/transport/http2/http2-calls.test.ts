/** Subgraphs that are called over HTTP/2 by a router: by prior knowledge, with TLS, and on Unix sockets. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type ListenOptions } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { createCertificate } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS } from '../../../src/addresses/allowed-networks.ts'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { LoadWatch } from '../../../src/transport/load/load-watch.ts'
import { Origins } from '../../../src/call/origins.ts'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { RecordedAnswer, REQUEST } from '../http1/support.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../../support/router.ts'

const authority = createCertificate({ name: 'test authority', authority: true })
const certificate = createCertificate({
  name: 'subgraph',
  signedBy: authority,
  hosts: ['localhost', '127.0.0.1'],
})
const SECURE = { cert: certificate.cert, key: certificate.key }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-http2-'))
  await writeFile(join(folder, 'ca.pem'), authority.cert)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Behave = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void
type Subgraph = {
  readonly address: AddressInfo | string | null
  readonly sessions: () => number
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** How it answers from now on. */
  behave: Behave
}

const ANSWER = JSON.stringify({ data: { version: 'two' } })
const answerWell: Behave = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end(ANSWER)
}

async function startSubgraph(
  use: AsyncDisposableStack,
  {
    server = createServer(),
    listen = { port: 0, host: '127.0.0.1' },
  }: {
    readonly server?: Http2Server | Http2SecureServer
    readonly listen?: ListenOptions
  } = {},
): Promise<Subgraph> {
  let sessions = 0
  const subgraph: Subgraph = { address: null, sessions: () => sessions, requests: [], behave: answerWell }
  server.on('session', (session) => {
    sessions++
    session.on('error', () => {})
    use.defer(() => session.destroy())
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    void text(stream).then(
      (body) => {
        subgraph.requests.push({ headers, body })
        subgraph.behave(stream, headers)
      },
      () => {},
    )
  })
  server.listen(listen)
  await once(server, 'listening')
  use.defer(() => void server.close())
  return Object.assign(subgraph, { address: server.address() })
}

const urlAt = ({ address }: Pick<Subgraph, 'address'>, scheme: string): string =>
  `${scheme}://127.0.0.1:${(address as AddressInfo).port}/graphql`

async function routerFor(
  use: AsyncDisposableStack,
  subgraphs: string,
  products: string,
): Promise<TestRouter> {
  const world = use.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: buildArtifact('base', { products, reviews: products }) })
  const settings = `{ subgraphs: { ${subgraphs} }, traffic: { share_inflight: false } }`
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

const ask = (router: TestRouter): Promise<Reply> => post(router, { query: '{ version }' })

const codeOf = ({ json }: Reply): unknown => json.errors?.[0]?.extensions['code']
const RIGHT = { data: { version: 'two' } }

describe('a subgraph that is called over HTTP/2', () => {
  it('gets many calls at a time on one connection, without TLS by prior knowledge', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const router = await routerFor(use, 'http2: true', urlAt(subgraph, 'http'))
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(router)))
    for (const { json } of replies) expect(json).toEqual(RIGHT)
    expect(subgraph.sessions()).toBe(1)
    const [request] = subgraph.requests
    expect(request?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/graphql',
      ':scheme': 'http',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
    })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ query: expect.stringContaining('version') })
  })

  it('agrees on it with TLS, of the authority that the settings name', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use, { server: createSecureServer(SECURE) })
    const tls = `tls: { ca_file: ${join(folder, 'ca.pem')} }`
    const url = urlAt(subgraph, 'https')
    const router = await routerFor(use, `overrides: { products: { http2: true } }, ${tls}`, url)
    expect((await ask(router)).json).toEqual(RIGHT)
    expect((await ask(router)).json).toEqual(RIGHT)
    expect(subgraph.sessions()).toBe(1)
    const stranger = await routerFor(use, 'http2: true', url)
    expect(codeOf(await ask(stranger))).toBe('SUBGRAPH_UNREACHABLE')
  })

  it('is unreachable if it does not speak it, and the log says why', async () => {
    await using use = new AsyncDisposableStack()
    const old = createHttps({ ...SECURE, ALPNCallback: () => undefined }, (_, response) =>
      response.end(ANSWER),
    )
    const plain = createHttps(SECURE, (_, response) => response.end(ANSWER))
    for (const server of [old, plain]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      use.defer(() => void server.close())
      const url = urlAt({ address: server.address() }, 'https')
      const tls = `tls: { ca_file: ${join(folder, 'ca.pem')} }`
      const router = await routerFor(use, `http2: true, ${tls}`, url)
      expect(codeOf(await ask(router))).toBe('SUBGRAPH_UNREACHABLE')
      const failed = router.logs.find(({ event }) => event === 'subgraph.failed')
      expect(String(failed?.['detail'])).toMatch(
        /HTTP\/2|alert no application protocol|ECONNRESET|disconnected/,
      )
    }
  })

  it('may be on a Unix socket', async () => {
    await using use = new AsyncDisposableStack()
    const path = join(folder, 'products.sock')
    const subgraph = await startSubgraph(use, { listen: { path } })
    const own = `overrides: { products: { socket_path: ${path}, http2: true } }`
    const router = await routerFor(use, own, 'http://products.test/graphql')
    expect((await ask(router)).json).toEqual(RIGHT)
    expect(subgraph.requests[0]?.headers[':authority']).toBe('products.test')
  })

  it('has the limits that others have', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const limits = 'http2: true, timeout: 300ms, first_byte_timeout: 100ms, max_response_size: 1KiB'
    const router = await routerFor(use, `${limits}, accept_encodings: [gzip]`, urlAt(subgraph, 'http'))
    subgraph.behave = () => {}
    expect(codeOf(await ask(router))).toBe('SUBGRAPH_TIMEOUT')
    subgraph.behave = (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' })
      stream.end(' '.repeat(100_000))
    }
    expect(codeOf(await ask(router))).toBe('SUBGRAPH_RESPONSE_TOO_LARGE')
    subgraph.behave = (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-encoding': 'gzip' })
      stream.end(gzipSync(ANSWER))
    }
    expect((await ask(router)).json).toEqual(RIGHT)
    subgraph.behave = (stream) => {
      stream.respond({ ':status': 503, 'content-type': 'text/html' })
      stream.end('<p>no</p>')
    }
    expect(codeOf(await ask(router))).toBe('SUBGRAPH_HTTP_ERROR')
    subgraph.behave = answerWell
    expect((await ask(router)).json).toEqual(RIGHT)
    expect(subgraph.sessions()).toBe(1)
  })

  it('is asked again where retries allow that, and at once for what it has not looked at', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const retry = 'retry: { max_retries: 1, backoff: 1ms, max_backoff: 1ms }'
    const router = await routerFor(use, `http2: true, ${retry}`, urlAt(subgraph, 'http'))
    const failing: Behave[] = [(stream) => stream.session?.destroy(), (stream) => stream.close(7)]
    for (const fail of failing) {
      subgraph.behave = (stream, headers) => {
        subgraph.behave = answerWell
        fail(stream, headers)
      }
      expect((await ask(router)).json).toEqual(RIGHT)
    }
    expect(subgraph.requests).toHaveLength(4)
  })

  it('is called a second time, on the same connection, where the first call takes long', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const hedge = 'hedge: { enabled: true, after: 20ms }'
    const router = await routerFor(use, `http2: true, ${hedge}`, urlAt(subgraph, 'http'))
    const reset: number[] = []
    subgraph.behave = (stream) => {
      subgraph.behave = answerWell
      stream.on('close', () => reset.push(stream.rstCode))
    }
    expect((await ask(router)).json).toEqual(RIGHT)
    expect(subgraph.requests).toHaveLength(2)
    await until(() => reset.length === 1, 'the first call is given up')
    expect(subgraph.sessions()).toBe(1)
  })

  it('is asked again after it has ended the connection with an error, where retries allow that', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const retry = 'retry: { max_retries: 1, backoff: 1ms, max_backoff: 1ms }'
    const router = await routerFor(use, `http2: true, ${retry}`, urlAt(subgraph, 'http'))
    subgraph.behave = (stream) => {
      subgraph.behave = answerWell
      const { session, id } = stream
      session?.goaway(11, id)
    }
    expect((await ask(router)).json).toEqual(RIGHT)
    expect(subgraph.sessions()).toBe(2)
  })

  it('is not called any more by a request whose client has gone', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const router = await routerFor(use, 'http2: true', urlAt(subgraph, 'http'))
    const reset: number[] = []
    subgraph.behave = (stream) => void stream.on('close', () => reset.push(stream.rstCode))
    const gone = new AbortController()
    const request = fetch(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ version }' }),
      signal: gone.signal,
    })
    await until(() => subgraph.requests.length === 1, 'it was called')
    gone.abort()
    await request.catch(() => {})
    await until(() => reset.length === 1, 'the call is given up')
    expect(reset).toEqual([8])
  })

  it('is called with TLS where its URL begins with https:, also without settings of TLS', async () => {
    await using use = new AsyncDisposableStack()
    const received: Buffer[] = []
    const server = createTcp((socket) => {
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          received.push(bytes)
          socket.destroy()
        })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    use.defer(() => void server.close())
    const { port } = server.address() as AddressInfo
    const router = await routerFor(use, 'http2: true', `https://127.0.0.1:${port}/graphql`)
    expect(codeOf(await ask(router))).toBe('SUBGRAPH_UNREACHABLE')
    // A record of a TLS handshake (RFC 8446, section 5.1), and nothing that can be read on the way.
    expect(received.length).toBeGreaterThan(0)
    expect(new Set(received.map(([first]) => first))).toEqual(new Set([22]))
  })

  it('shows in traces when it was connected to, and that the next call used the connection', async () => {
    await using use = new AsyncDisposableStack()
    const subgraph = await startSubgraph(use)
    const origin = urlAt(subgraph, 'http').replace('/graphql', '')
    const file = { path: 'router.yaml', text: 'subgraphs: { http2: true }' }
    const { subgraphs } = loadRouterConfig({ file, defaultNetworks: LOCAL_NETWORKS })
    let time = 0
    const watch = new LoadWatch(() => ++time)
    const origins = use.use(new Origins(subgraphs, { loads: watch }))
    await origins.prepare()
    using lease = origins.lease(origin, 'products')
    using loads = watch.begin()
    const statsOf = async () => {
      const answer = new RecordedAnswer()
      const call = loads.dispatch(lease.value, REQUEST, answer)
      expect(await answer.done).toMatchObject({ status: 200, error: null })
      return call.times(0).load_stats
    }
    const first = await statsOf()
    expect(Object.keys(first ?? {})).toEqual(
      expect.arrayContaining(['connect_done', 'wrote_request', 'got_first_response_byte']),
    )
    expect(first?.got_conn).toMatchObject({ reused: false })
    const second = await statsOf()
    expect(second?.got_conn).toMatchObject({ reused: true })
    expect(Object.keys(second ?? {})).not.toContain('connect_done')
  })
})
