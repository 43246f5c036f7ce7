/** Subscriptions over WebSockets at servers that break the protocol, fall silent, or send too much. */
import { createServer as createTcp, type Socket } from 'node:net'
import { ExactNumber } from '@switchyard/engine'
import { isLongRun, recordMetrics, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { expectShortTurns, longestTurn } from '../../support/turns.ts'
import { type Flood, startFlood } from './flooding-server.ts'
import { HandWrittenServer, textOf } from './hand-written-socket.ts'
import { openAt, openUpstreams, serve, Told } from './support.ts'

const QUICKLY = { reconnect_window: '0s' }

describe('the messages of a WebSocket', () => {
  it('begin with the payload of the handshake, and say when a subscription is not needed any more', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const body = '{"query":"subscription { a }","variables":{"b":9007199254740993}}'
    const { source } = openAt(upstreams, server.url, { body, initPayload: { token: 't' } })
    const accepted = await server.subscribed()
    source.close()
    await accepted.received('complete')
    expect(accepted.messages).toEqual([
      { type: 'connection_init', payload: { token: 't' } },
      { type: 'subscribe', id: '1', payload: JSON.parse(body) },
      { type: 'complete', id: '1' },
    ])
    expect(accepted.request.headers['sec-websocket-protocol']).toBe('graphql-transport-ws')
    expect(accepted.request.headers['sec-websocket-extensions']).toBeUndefined()
  })

  it('have exact numbers for those who ask for them, and in errors', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const plain = openAt(upstreams, server.url).told
    const exact = openAt(upstreams, server.url, { exactNumbers: true }).told
    const accepted = await server.subscribed(0, 2)
    const pad = JSON.stringify('x'.repeat(100_000))
    for (const [id, told] of [
      ['1', plain],
      ['2', exact],
    ] as const) {
      accepted.send(`{"type":"next","id":"${id}","payload":{"data":12345678901234567890}}`)
      accepted.send(`{"type":"next","id":"${id}","payload":{"data":12345678901234567890,"x":${pad}}}`)
      accepted.send(`{"type":"next","id":"${id}","payload":{"errors":[],"data":12345678901234567890}}`)
      await told.until('event', 3)
    }
    const isExact = ({ events }: Told) =>
      events.map((event) => Reflect.get(Object(event), 'data') instanceof ExactNumber)
    expect(isExact(plain)).toEqual([false, false, true])
    expect(isExact(exact)).toEqual([true, true, true])
  })

  it('that are none of the protocol are counted and skipped', async () => {
    await using stack = new AsyncDisposableStack()
    const metrics = stack.use(recordMetrics())
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const { told } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    accepted.socket.send(Buffer.from('{"type":"next","id":"1","payload":{}}'))
    accepted.send('', 'no JSON', '[]', 'null', '{}', '{"type":"nonsense"}', '{"type":7}')
    accepted.send('{"type":"connection_ack"}', '{"type":"ping","payload":1}')
    accepted.send('{"type":"next"}', '{"type":"next","id":1,"payload":{}}', '{"type":"next","id":"1"}')
    accepted.send('{"type":"next","id":"1","payload":[]}', '{"type":"error","id":"1","payload":{}}')
    accepted.send('{"type":"next","id":"2","payload":{}}', '{"type":"complete","id":"01"}')
    accepted.next('1', { a: 1 })
    await told.until('event')
    expect(told.order).toEqual(['event'])
    const kinds = Object.groupBy(
      metrics.measured.filter(({ name }) => name === 'switchyard.router.upstream_nonsense'),
      ({ labels }) => String(labels['kind']),
    )
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, all?.length]))).toEqual({
      binary: 1,
      'not-json': 2,
      'no-message': 12,
      'unknown-id': 2,
    })
  })

  it('of a subscription that has just ended are no nonsense', async () => {
    await using stack = new AsyncDisposableStack()
    const metrics = stack.use(recordMetrics())
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const { source, told } = openAt(upstreams, server.url)
    const other = openAt(upstreams, server.url, { body: '{"query":"subscription { b }"}' })
    const accepted = await server.subscribed(0, 2)
    source.close()
    accepted.next('1', {})
    accepted.send({ type: 'complete', id: '1' })
    accepted.next('2', {})
    await other.told.until('event')
    expect(told.order).toEqual([])
    expect(metrics.measured.map(({ name }) => name)).not.toContain('switchyard.router.upstream_nonsense')
  })

  it('may be a hundred times nonsense, and then the WebSocket is closed', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack, { settings: QUICKLY })
    const { told } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    for (let count = 0; count < 200; count++) accepted.send('{}')
    await told.until('SUBGRAPH_INVALID_RESPONSE')
    await waitFor('the close frame', () => accepted.closedWith === 4400)
  })

  it('are answered if they are pings', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    openAt(await openUpstreams(stack), server.url)
    const accepted = await server.subscribed()
    accepted.send({ type: 'ping' }, { type: 'pong' }, { type: 'ping', payload: { a: 1 } })
    await accepted.received('pong', 2)
  })

  it('come all before the end of the WebSocket', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    const accepted = await server.subscribed()
    const text = 'x'.repeat(200_000)
    for (let index = 0; index < 20; index++) accepted.next('1', { index, text })
    accepted.send({ type: 'complete', id: '1' })
    accepted.socket.close(1000)
    await told.until('completed')
    expect(told.events.map((event) => Reflect.get(Object(event), 'data').index)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
  })
})

describe('a WebSocket', () => {
  it('is closed some seconds after its last subscription has left, unless another one comes', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    openAt(upstreams, server.url).source.close()
    const { source } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    source.close()
    await accepted.received('complete')
    expect(accepted.closedWith).toBeNull()
    await waitFor('the close frame', () => accepted.closedWith === 1000)
    openAt(upstreams, server.url)
    await server.subscribed(1)
  })

  it.each([
    ['headers', '', { headers: ['x-user', 'b'] }],
    ['payloads', '', { initPayload: { user: 'b' } }],
    ['paths', '/other', {}],
  ])('is not shared by handshakes of different %s', async (_what, path, opening) => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    openAt(upstreams, server.url)
    openAt(upstreams, `${server.url}${path}`, opening)
    await waitFor('two WebSockets', () => server.accepted.length === 2)
  })

  it('that is not acknowledged in time fails', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    server.acknowledges = false
    const upstreams = await openUpstreams(stack, { settings: { open_timeout: '100ms' } })
    const { told } = openAt(upstreams, server.url)
    await told.until('SUBGRAPH_TIMEOUT')
    expect(told.failure?.message).toBe('Subgraph "clock" did not open the subscription within 100 ms.')
  })

  it('whose handshake is never answered fails in time', async () => {
    await using stack = new AsyncDisposableStack()
    const sockets = new Set<Socket>()
    const silent = createTcp((socket) => void sockets.add(socket.on('error', () => {}).resume()))
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    stack.defer(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const upstreams = await openUpstreams(stack, { settings: { open_timeout: '100ms' } })
    const { told } = openAt(upstreams, `ws://127.0.0.1:${port}/`)
    await told.until('SUBGRAPH_TIMEOUT')
    await waitFor('the end of the connection', () =>
      [...sockets].every((socket) => socket.readableEnded || socket.destroyed),
    )
  })

  it('whose other side is gone without a word is given up', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack, { settings: { ping_interval: '50ms', ...QUICKLY } })
    const { told } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    let pings = 0
    accepted.socket.on('ping', () => pings++)
    await waitFor('pings that are answered', () => pings > 2)
    expect(told.order).toEqual([])
    // It takes nothing more, so that it does not answer either.
    accepted.socket.pause()
    await told.until('SUBGRAPH_TIMEOUT')
  })

  it.each([
    [404, 'SUBGRAPH_HTTP_ERROR', 'Subgraph "clock" refused the subscription (HTTP status 404).'],
    [503, 'SUBGRAPH_HTTP_ERROR', 'Subgraph "clock" refused the subscription (HTTP status 503).'],
    [
      302,
      'SUBGRAPH_HTTP_ERROR',
      'Subgraph "clock" refused the subscription (HTTP status 302); redirects are not followed.',
    ],
  ])('that is answered with status %i fails', async (status, code, message) => {
    await using stack = new AsyncDisposableStack()
    const { at } = await serve(stack, (_, response) => response.writeHead(status, { location: '/b' }).end())
    const { told } = openAt(await openUpstreams(stack), `ws${at}`)
    await told.until(code)
    expect(told.failure).toEqual({ code, message })
  })

  it('of another subprotocol, or none, fails', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    server.server.options.handleProtocols = () => false
    const { told } = openAt(await openUpstreams(stack), server.url)
    await told.until('SUBGRAPH_INVALID_RESPONSE')
    expect(told.failure?.message).toBe(
      'Subgraph "clock" does not speak the subprotocol graphql-transport-ws.',
    )
  })

  it.each([4400, 4401, 4403, 4406, 4409, 4429, 4500, 1002, 1008, 1009])(
    'that is closed with %i is not opened again',
    async (code) => {
      await using stack = new AsyncDisposableStack()
      const server = await HandWrittenServer.start(stack)
      const { told } = openAt(await openUpstreams(stack), server.url)
      const accepted = await server.subscribed()
      accepted.socket.close(code, 'for a reason with an address')
      await told.until('SUBGRAPH_INVALID_RESPONSE')
      expect(told.failure?.message).toContain(`(close code ${code})`)
      expect(told.failure?.message).not.toContain('address')
    },
  )

  it('with a header that cannot be sent fails', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url, { headers: ['x-a', 'a\r\nb: c'] })
    expect(told.order).toEqual([])
    await told.until('SUBGRAPH_REQUEST_INVALID')
  })

  it('ends when the router stops, also while it is being made', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const { told } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    const connecting = openAt(upstreams, server.url, { initPayload: { other: true } })
    await upstreams[Symbol.asyncDispose]()
    await waitFor('the close frame', () => accepted.closedWith === 1001)
    const late = openAt(upstreams, server.url)
    await late.told.until('SUBGRAPH_CANCELLED')
    expect([...told.order, ...connecting.told.order]).toEqual([])
  })
})

describe('a subgraph that sends too much', () => {
  it('is left when an event is larger than allowed, and opened again', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack, { settings: { max_event_size: '100KiB' } })
    const { told } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    accepted.next('1', 'x'.repeat(100 * 1024))
    await told.until('reopened')
    const again = await server.subscribed(1)
    again.next('1', 'x'.repeat(99 * 1024))
    await told.until('event')
    expect(told.order).toEqual(['reopened', 'event'])
  })

  it('is told so if it does that all the time', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    server.server.on('connection', (socket) =>
      socket.on('message', (data) => {
        if (textOf(data).includes('"subscribe"')) socket.send('x'.repeat(2048))
      }),
    )
    const settings = { max_event_size: '1KiB', reconnect_window: '1s' }
    const { told } = openAt(await openUpstreams(stack, { settings }), server.url)
    await told.until('SUBGRAPH_RESPONSE_TOO_LARGE')
    expect(told.failure?.message).toBe('Subgraph "clock" sent an event of more than the 1024 bytes allowed.')
    expect(server.accepted.length).toBeLessThan(12)
  })

  const next = (payload: string) => `{"id":"1","type":"next","payload":${payload}}`
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
  const floods: readonly (readonly [string, Flood])[] = [
    ['small events', { message: next('{}'), count: 100_000 }],
    ['pongs', { message: '{"type":"pong"}', count: 200_000 }],
    ['large events', { message: next(`{"a":[${'1,'.repeat(250_000)}1]}`), count: 60 }],
    ['deep events', { message: next(`{"a":${deep}}`), count: 30 }],
    ['empty frames', { message: Buffer.from([0x8a, 0]), count: 1_000_000 }],
    [
      'empty fragments',
      {
        message: Buffer.from([0, 0]),
        count: 1_000_000,
        around: [Buffer.from([1, 0]), Buffer.from([0x80, 0])],
      },
    ],
  ]
  it.each(floods)('does not hold the event loop with %s', (_what, flood) =>
    expectShortTurns(async () => {
      await using stack = new AsyncDisposableStack()
      const count = isLongRun() ? flood.count : flood.count / 5
      const server = await startFlood(stack, { ...flood, count })
      const upstreams = await openUpstreams(stack, { settings: QUICKLY })
      const told = new Told()
      return await longestTurn(async () => {
        openAt(upstreams, server, {}, told)
        await waitFor('the end', () => told.isOver)
      })
    }),
  )
})
