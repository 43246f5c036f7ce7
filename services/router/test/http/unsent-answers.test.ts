/** Answers that clients do not read: how many bytes of them wait, and who loses when they are too many. */
import { once } from 'node:events'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ByteShares } from '../../src/fairness/byte-shares.ts'
import { UnsentAnswers } from '../../src/listen/unsent-answers.ts'
import { WatchedResponse } from '../../src/listen/watched-response.ts'
import { DEFERRING, gatedWorld } from '../support/gated-world.ts'
import type { ConfigWorld } from '../support/config-world.ts'
import { data, type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { posted } from '../support/raw-http.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { openSlowReaders, type SlowReaders } from '../support/slow-readers.ts'
import { listenOnFreePort, startSubgraph } from '../support/subgraph.ts'

const MEBIBYTE = 1024 * 1024
/** More than systems take on behalf of a client that does not read. */
const SIZE = 16 * MEBIBYTE
/** The clients of HTTP/2 here have a window of nothing until they read, so that systems take no byte. */
const SIZE_OVER_HTTP2 = 4 * MEBIBYTE
const WHOLE = JSON.stringify({ query: '{ product(upc: "1") { name } }' })
const IN_PARTS = JSON.stringify({ query: '{ product(upc: "1") { name ...@defer { reviews { body } } } }' })

const stack = new AsyncDisposableStack()
let products: RawSubgraph
let world: ConfigWorld

beforeAll(async () => {
  products = stack.use(await startRawSubgraph())
  const reviews = stack.use(await startSubgraph('reviews'))
  world = (await gatedWorld(stack, { products: products.url, reviews: reviews.url })).world
  named('x'.repeat(SIZE))
})
afterAll(() => stack.disposeAsync())

function named(name: string): void {
  products.answers(data(`{"product":{"__typename":"Product","upc":"1","name":"${name}"}}`))
}

async function startWith(limits: string): Promise<TestRouter> {
  const settings = `${DEFERRING}\ntraffic: { write_timeout: 10m, trusted_proxies: [127.0.0.1], ${limits} }`
  const router = await routerOn(world, { settings })
  await router.ready
  return router
}

const givenUp = (router: TestRouter) => router.logs.filter(({ stalled }) => stalled === true).length

describe.each([
  ['HTTP/1', SIZE],
  ['HTTP/2', SIZE_OVER_HTTP2],
] as const)('over %s, beyond the limit', (protocol, size) => {
  beforeAll(() => named('x'.repeat(size)))
  afterAll(() => named('x'.repeat(SIZE)))

  it.each([
    ['whole answers', WHOLE, {}],
    ['streams', IN_PARTS, { accept: 'multipart/mixed;incrementalSpec=v0.2' }],
  ])('%s of the client that has most are given up, the longest waiting first', async (_, body, accept) => {
    await using use = new AsyncDisposableStack()
    // Room for three, of which the first belongs to somebody else.
    const limit = `${(size * 3.75) / MEBIBYTE}MiB`
    const router = use.use(await startWith(`max_unsent_size: ${limit}, max_unsent_size_per_client: ${limit}`))
    const readers = async (client: string): Promise<SlowReaders> => {
      const headers = { ...accept, 'x-forwarded-for': client }
      const opened = use.use(await openSlowReaders(router.port, { protocol, clients: 1, body, headers }))
      await opened.answered()
      return opened
    }
    const quiet = await readers('198.51.100.1')
    const greedy: SlowReaders[] = []
    for (let number = 1; number <= 4; number++) greedy.push(await readers('198.51.100.2'))
    await until(() => givenUp(router) === 2, 'two are given up')
    expect(router.logs.find(({ event }) => event === 'router.unsent-limit')).toMatchObject({ givenUp: 1 })
    const ends = await Promise.all([quiet, ...greedy].map((each) => each.read()))
    expect(ends.flat().map(({ bytes }) => bytes > size)).toEqual([true, false, false, true, true])
  })
})

describe('answers that are read slowly', () => {
  it('are never cut while there is room for them', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unsent_size: 80MiB, max_unsent_size_per_client: 80MiB'))
    const readers: SlowReaders[] = []
    for (const protocol of ['HTTP/1', 'HTTP/2', 'HTTP/1'] as const)
      readers.push(use.use(await openSlowReaders(router.port, { protocol, clients: 1, body: WHOLE })))
    const ends = await Promise.all(readers.map((each) => each.read()))
    expect(ends.flat().map(({ isWhole }) => isWhole)).toEqual([true, true, true])
    expect(givenUp(router)).toBe(0)
  })

  it('may be larger than the limit where nobody else waits', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unsent_size: 1MiB'))
    for (const protocol of ['HTTP/1', 'HTTP/2'] as const) {
      const reader = use.use(await openSlowReaders(router.port, { protocol, clients: 1, body: WHOLE }))
      expect(await reader.read()).toMatchObject([{ isWhole: true }])
    }
  })

  it('leave room again once they are read', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unsent_size: 30MiB'))
    for (let round = 0; round < 4; round++) {
      const protocol = round % 2 === 0 ? 'HTTP/1' : 'HTTP/2'
      const reader = use.use(await openSlowReaders(router.port, { protocol, clients: 1, body: WHOLE }))
      expect(await reader.read()).toMatchObject([{ isWhole: true }])
    }
    expect(givenUp(router)).toBe(0)
  })
})

describe('a response of HTTP/1', () => {
  async function serving(answer: (response: WatchedResponse) => void) {
    const shares = new ByteShares({ perClient: 1e9, total: 1e9 }, () => {})
    let opened = 0
    const unsent = new UnsentAnswers(shares, {
      clientOf: () => {
        opened++
        return 'one'
      },
    })
    const server = createServer({ ServerResponse: WatchedResponse }, (_request, response) => {
      response.writeTimeout = 60_000
      response.unsent = unsent
      answer(response)
    })
    const port = await listenOnFreePort(server)
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { port, unsent, opened: () => opened, [Symbol.dispose]: close }
  }

  it('costs nothing where the system takes all of it at once', async () => {
    using server = await serving((response) => response.end('{"data":null}'))
    for (let round = 0; round < 3; round++) {
      const [response] = await once(httpRequest({ port: server.port, host: '127.0.0.1' }).end(), 'response')
      expect((await response.toArray()).join('')).toBe('{"data":null}')
    }
    expect(server.opened()).toBe(0)
  })

  it.each([
    ['a text of single bytes', 'x'.repeat(SIZE), SIZE],
    ['a text of characters with three bytes', '€'.repeat(SIZE / 2), (SIZE / 2) * 3],
  ])('counts the bytes of %s, until they are read', async (_, text, bytes) => {
    using server = await serving((response) => response.end(text))
    const socket = connect(server.port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await until(() => server.unsent.bytes > 0, 'it waits')
    expect(server.unsent.bytes).toBeGreaterThanOrEqual(bytes)
    expect(server.unsent.bytes).toBeLessThan(bytes + 1000)
    socket.resume()
    await once(socket, 'close')
    expect(server.unsent.bytes).toBe(0)
  })

  it('counts parts until they are read, and again what is written after that', async () => {
    const responses: WatchedResponse[] = []
    using server = await serving((response) => responses.push(response))
    const socket = connect(server.port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const response = await until(() => responses[0], 'it is asked')
    for (let round = 0; round < 2; round++) {
      response.write('x'.repeat(SIZE))
      response.write('y'.repeat(1000))
      expect(server.unsent.bytes).toBeGreaterThanOrEqual(SIZE)
      socket.resume()
      await until(() => server.unsent.bytes === 0, 'all is read')
      socket.pause()
    }
    response.write('x'.repeat(SIZE))
    socket.destroy()
    await until(() => server.unsent.bytes === 0, 'nobody waits any more')
  })
})

describe('requests behind one that is not answered', () => {
  it('are executed one after the other', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unsent_size: 80MiB'))
    const held: ServerResponse[] = []
    products.answers((_body, response) => held.push(response))
    use.defer(() => named('x'.repeat(SIZE)))
    const socket = connect(router.port, '127.0.0.1')
    use.defer(() => void socket.destroy())
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write(posted('{ product(upc: "1") { name } }').repeat(4))
    for (let number = 1; number <= 4; number++) {
      await until(() => held.length === number, `request ${number} is executed`)
      // Somebody else's request has come and gone meanwhile.
      expect((await post(router, { query: '{ __typename }' })).status).toBe(200)
      expect(held.length).toBe(number)
      held.at(-1)?.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"product":null}}')
      await until(() => text.split('{"data":{"product":null}}').length === number + 1, 'it is answered')
    }
  })

  it('end their connection where they are very many', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unsent_size: 80MiB'))
    const socket = connect(router.port, '127.0.0.1').pause()
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.write(posted('{ product(upc: "1") { name } }').repeat(500))
    await until(
      () => router.logs.find(({ event }) => event === 'router.pipeline-limit'),
      'the connection is closed',
    )
    socket.resume()
    await closed
    expect((await post(router, { query: '{ __typename }' })).status).toBe(200)
  })

  it('count as unread, and hold no place when their client leaves', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unread_requests_per_client: 20, max_unsent_size: 80MiB'))
    for (let round = 0; round < 3; round++) {
      const socket = connect(router.port, '127.0.0.1').pause()
      socket.on('error', () => {})
      const before = products.received.length
      socket.write(posted('{ product(upc: "1") { name } }').repeat(15))
      await until(() => products.received.length > before, 'the first is executed')
      socket.destroy()
      await until(
        () => router.logs.filter(({ aborted }) => aborted === true).length === round + 1,
        'it is given up',
      )
    }
    expect(router.logs.find(({ event }) => event === 'router.unread-limit')).toBeUndefined()
  })
})
