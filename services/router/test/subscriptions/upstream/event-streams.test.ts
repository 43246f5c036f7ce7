/** Subscriptions on event streams of servers that write unusual streams, or break the protocol. */
import { createServer as createHttp2, type ServerHttp2Session } from 'node:http2'
import { ExactNumber } from '@switchyard/engine'
import { recordMetrics, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { expectShortTurns, longestTurn } from '../../support/turns.ts'
import { StreamServer } from './hand-written-stream.ts'
import { listen, openAt, openUpstreams } from './support.ts'

const QUICKLY = { reconnect_window: '0s' }

describe('an event stream', () => {
  it('is asked for with the headers of the rules, and those of the protocol', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const headers = ['x-user', 'a', 'Accept', 'application/json', 'accept-encoding', 'gzip', 'host', 'b']
    const body = '{"query":"subscription { a }"}'
    openAt(await openUpstreams(stack), server.url, { headers, body })
    const { request, body: sent } = await server.stream()
    expect(request.method).toBe('POST')
    expect(sent).toBe(body)
    expect(request.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'content-length': String(body.length),
      'x-user': 'a',
    })
  })

  it('may be cut anywhere, and have comments between its events', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    const stream = await server.stream()
    stream.begin(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const text = ':\n\nevent: next\r\ndata: {"data":\r\ndata: "é€😀"}\r\n\r\n: ping\n\nevent: complete\n\n'
    for (const byte of Buffer.from(text)) stream.write(Buffer.from([byte]))
    await told.until('completed')
    expect(told.events).toEqual([{ data: 'é€😀' }])
    await waitFor('the end of the connection', () => stream.isGone)
  })

  it('has exact numbers for those who ask for them', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const plain = openAt(upstreams, server.url).told
    const exact = openAt(upstreams, server.url, { exactNumbers: true }).told
    await server.stream(1)
    for (const stream of server.asked)
      stream.begin().write('event: next\ndata: {"data":12345678901234567890}\n\n')
    await plain.until('event')
    await exact.until('event')
    const values = [plain, exact].map(({ events: [event] }) => Reflect.get(Object(event), 'data'))
    expect(values.map((value) => value instanceof ExactNumber)).toEqual([false, true])
  })

  it('is given up when nobody listens any more', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const first = openAt(upstreams, server.url)
    const stream = await server.stream()
    first.source.close()
    await waitFor('the end of the connection', () => stream.isGone)
    const second = openAt(upstreams, server.url)
    ;(await server.stream(1)).begin().next(1)
    await second.told.until('event')
    await upstreams[Symbol.asyncDispose]()
    await waitFor('the end of the connection', () => server.asked.every(({ isGone }) => isGone))
    expect([...first.told.order, ...second.told.order]).toEqual(['event'])
  })

  it('does not end because nothing comes for long', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const file =
      'subgraphs: { timeout: 60ms, connect_timeout: 50ms, first_byte_timeout: 50ms, idle_timeout: 50ms }'
    const upstreams = await openUpstreams(stack, { file, settings: { open_timeout: '300ms' } })
    const { told } = openAt(upstreams, server.url)
    const stream = (await server.stream()).begin()
    // Another one, which the server does not answer, says when the time of all limits is over.
    await openAt(upstreams, server.url, { body: '{}' }).told.until('SUBGRAPH_TIMEOUT')
    stream.next(1)
    await told.until('event')
    expect(told.order).toEqual(['event'])
  })

  it('takes no connection from calls, and waits for one of its own only so long', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const upstreams = await openUpstreams(stack, {
      file: 'subgraphs: { max_connections: 1 }',
      settings: { max_event_streams: 2, open_timeout: '1s' },
    })
    server.onAsked = (stream) => stream.begin().next(1)
    const open = (user: string) => openAt(upstreams, server.url, { headers: ['x-user', user] }).told
    const [first, second] = [open('a'), open('b')]
    await Promise.all([first.until('event'), second.until('event')])
    await open('c').until('SUBGRAPH_TIMEOUT')
    expect(server.asked).toHaveLength(2)
  })

  it('comes over HTTP/2 if the settings say so, several on one connection', async () => {
    await using stack = new AsyncDisposableStack()
    const sessions = new Set<ServerHttp2Session>()
    const server = createHttp2((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('event: next\ndata: {"data":1}\n\nevent: complete\n\n')
    }).on('session', (session) => sessions.add(session))
    const port = await listen(server)
    stack.defer(() => {
      for (const session of sessions) session.destroy()
      server.close()
    })
    const upstreams = await openUpstreams(stack, { file: 'subgraphs: { http2: true }' })
    const opened = ['a', 'b', 'c'].map((user) =>
      openAt(upstreams, `http://127.0.0.1:${port}/graphql`, { headers: ['x-user', user] }),
    )
    for (const { told } of opened) await told.until('completed')
    expect(opened.map(({ told }) => told.events)).toEqual([[{ data: 1 }], [{ data: 1 }], [{ data: 1 }]])
    expect(sessions.size).toBe(1)
  })

  it('skips events that are none of the protocol, and counts them', async () => {
    await using stack = new AsyncDisposableStack()
    const metrics = stack.use(recordMetrics())
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    const stream = (await server.stream()).begin()
    stream.write(
      'event: nonsense\ndata: {}\n\nevent: next\ndata: [\n\nevent: next\ndata: []\n\nevent: next\n\n',
    )
    stream.write(Buffer.from('event: next\ndata: "\xff"\n\n', 'latin1')).next(1)
    await told.until('event')
    expect(told.events).toEqual([{ data: 1 }])
    const counted = metrics.measured.filter(({ name }) => name === 'switchyard.router.upstream_nonsense')
    expect(counted.map(({ labels }) => labels['kind'])).toEqual([
      'no-message',
      'not-json',
      'no-message',
      'not-json',
      'not-json',
    ])
  })

  it('may have nonsense a hundred times, and is then given up', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack, { settings: QUICKLY }), server.url)
    ;(await server.stream()).begin().write('event: a\n\n'.repeat(200))
    await told.until('SUBGRAPH_INVALID_RESPONSE')
  })
})

describe('an answer that is no event stream', () => {
  const errors = [{ message: 'unknown field', extensions: { code: 'A' } }]
  it.each([
    [200, 'application/json', { errors }],
    [400, 'application/graphql-response+json', { errors, data: null }],
    [500, 'application/json', { errors }],
  ])('tells its GraphQL errors (status %i)', async (status, type, body) => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    const stream = (await server.stream()).begin(status, { 'content-type': type })
    stream.response.end(JSON.stringify(body))
    await told.until('completed')
    expect(told.events).toEqual([{ errors }])
    expect(told.order).toEqual(['event', 'completed'])
  })

  const refused = (status: number, end = '') =>
    `Subgraph "clock" refused the subscription (HTTP status ${status})${end}.`
  const NO_STREAM = 'Subgraph "clock" did not answer the subscription with text/event-stream.'
  it.each([
    [200, 'application/json', '{"data":{"a":1}}', NO_STREAM],
    [200, 'text/html', '<html>', NO_STREAM],
    [200, 'application/json', `{"errors":[],"a":"${'x'.repeat(200_000)}"}`, NO_STREAM],
    [404, 'text/html', '<html>', refused(404)],
    [302, 'text/html', '', refused(302, '; redirects are not followed')],
    [500, 'application/json', '{"errors":[]}', refused(500)],
    [503, 'text/plain', '', refused(503)],
    [503, 'text/event-stream', '', refused(503)],
  ])('fails otherwise (status %i, %s)', async (status, type, body, message) => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const settings = status === 503 ? QUICKLY : {}
    const { told } = openAt(await openUpstreams(stack, { settings }), server.url)
    const stream = (await server.stream()).begin(status, { 'content-type': type, location: '/elsewhere' })
    stream.response.end(body)
    await waitFor('the failure', () => told.isOver)
    expect(told.failure?.message).toBe(message)
    expect(told.failure?.code).toBe(status === 200 ? 'SUBGRAPH_INVALID_RESPONSE' : 'SUBGRAPH_HTTP_ERROR')
    expect(server.asked).toHaveLength(1)
  })

  it('fails if it is compressed', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    ;(await server.stream()).begin(200, { 'content-encoding': 'gzip' })
    await told.until('SUBGRAPH_INVALID_RESPONSE')
  })

  it.each(['before it begins', 'in the middle'])('fails if it stops %s', async (when) => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    server.onAsked = (stream) => {
      if (when === 'in the middle') stream.begin(400, { 'content-type': 'application/json' }).write('{')
    }
    const { told } = openAt(await openUpstreams(stack, { settings: { open_timeout: '100ms' } }), server.url)
    await told.until('SUBGRAPH_TIMEOUT')
    await waitFor('the end of the connection', () => server.asked.every(({ isGone }) => isGone))
  })

  it('fails if a header cannot be sent', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url, { headers: ['x-a', 'a\r\nb: c'] })
    expect(told.order).toEqual([])
    await told.until('SUBGRAPH_REQUEST_INVALID')
  })
})

describe('a subgraph that sends too much on an event stream', () => {
  it.each([
    ['a line', (size: number) => 'x'.repeat(size)],
    ['an event', (size: number) => 'data: 12345678\n'.repeat(size / 9)],
  ])('is left when %s is larger than allowed', async (_what, large) => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    const settings = { max_event_size: '100KiB', ...QUICKLY }
    const { told } = openAt(await openUpstreams(stack, { settings }), server.url)
    const stream = (await server.stream()).begin().next('x'.repeat(99 * 1024))
    await told.until('event')
    stream.write(large(200 * 1024))
    await told.until('SUBGRAPH_RESPONSE_TOO_LARGE')
    await waitFor('the end of the connection', () => stream.isGone)
  })

  it.each([
    ['small events', 'event: next\ndata: {}\n\n'.repeat(40_000)],
    ['empty lines', '\n'.repeat(5_000_000)],
    ['pieces of one byte', ''],
    ['names alone', 'event: a\n'.repeat(500_000)],
    ['short lines of data', `${'data\n'.repeat(900_000)}\n`],
    ['large events', `data: {"data":[${'1,'.repeat(400_000)}1]}\n\n`.repeat(20)],
  ])('does not hold the event loop with %s', (_what, bytes) =>
    expectShortTurns(async () => {
      await using stack = new AsyncDisposableStack()
      const server = await StreamServer.start(stack)
      const { told } = openAt(await openUpstreams(stack), server.url)
      const stream = (await server.stream()).begin()
      await told.until('event', 0)
      // What the server itself does is not measured: it hands everything to the system before.
      if (bytes !== '') stream.write(Buffer.from(bytes))
      else stream.response.socket?.write('1\r\n\n\r\n'.repeat(500_000))
      stream.write('event: complete\n\n')
      await stream.handedOver()
      return await longestTurn(() => told.until('completed'))
    }),
  )
})
