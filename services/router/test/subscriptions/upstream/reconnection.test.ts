/** Subscriptions whose connection to the subgraph is lost. */
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brokenConnection, brokenProtocol } from '../../../src/subscriptions/upstream/failures.ts'
import { Reconnection } from '../../../src/subscriptions/upstream/reconnection.ts'
import { HandWrittenServer } from './hand-written-socket.ts'
import { StreamServer } from './hand-written-stream.ts'
import { openAt, openUpstreams } from './support.ts'

describe('a lost WebSocket', () => {
  it('is opened again with all its subscriptions, each of which learns that it may have missed events', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const first = openAt(upstreams, server.url)
    const second = openAt(upstreams, server.url, { body: '{"query":"subscription { b }"}' })
    const gone = openAt(upstreams, server.url, { body: '{"query":"subscription { c }"}' })
    const accepted = await server.subscribed(0, 3)
    accepted.next('1', 1)
    await first.told.until('event')
    server.acknowledges = false
    accepted.socket.terminate()
    await waitFor('the next WebSocket', () => server.accepted.length === 2)
    // While it is made, one subscription leaves, one joins a source, and one is new.
    gone.source.close()
    const joined = openAt(upstreams, server.url)
    const added = openAt(upstreams, server.url, { body: '{"query":"subscription { d }"}' })
    server.accepted[1]?.send({ type: 'connection_ack' })
    const again = await server.subscribed(1, 3)
    expect(again.messages.filter(({ type }) => type === 'subscribe').map(({ id }) => id)).toEqual([
      '1',
      '2',
      '4',
    ])
    for (const id of ['1', '2', '4']) again.next(id, 2)
    await added.told.until('event')
    const orders = [first, second, gone, joined, added].map(({ told }) => told.order)
    expect(orders).toEqual([
      ['event', 'reopened', 'event'],
      ['reopened', 'event'],
      [],
      ['reopened', 'event'],
      ['event'],
    ])
  })

  it.each([1001, 1011, 1012, 1013, 4408])('is opened again after close code %i', async (code) => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const { told } = openAt(await openUpstreams(stack), server.url)
    ;(await server.subscribed()).socket.close(code)
    await told.until('reopened')
  })

  it('is not opened again when nobody needs it', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const { source } = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    source.close()
    await accepted.received('complete')
    accepted.socket.terminate()
    const other = openAt(upstreams, server.url, { headers: ['x-user', 'b'] })
    await server.subscribed(1)
    expect(other.told.order).toEqual([])
    expect(server.accepted).toHaveLength(2)
  })
})

describe.each(['graphql-transport-ws', 'sse'] as const)('a lost connection (%s)', (protocol) => {
  /** Starts a server, and a subscription at it that is open. Returns a function that breaks it off. */
  async function start(stack: AsyncDisposableStack, settings = {}) {
    const upstreams = await openUpstreams(stack, { settings })
    if (protocol === 'sse') {
      const server = await StreamServer.start(stack)
      server.onAsked = (stream) => stream.begin()
      const opened = openAt(upstreams, server.url)
      const cut = async (index: number) => (await server.stream(index)).cut()
      const next = async (index: number) => void (await server.stream(index)).next(index)
      return { ...opened, upstreams, server, cut, next, url: server.url }
    }
    const server = await HandWrittenServer.start(stack)
    const opened = openAt(upstreams, server.url)
    const cut = async (index: number) => (await server.subscribed(index)).socket.terminate()
    const next = async (index: number) => (await server.subscribed(index)).next('1', index)
    return { ...opened, upstreams, server, cut, next, url: server.url }
  }

  it('is opened again, and those who listen learn that events may be missing', async () => {
    await using stack = new AsyncDisposableStack()
    const { told, cut, next, upstreams, url } = await start(stack)
    await next(0)
    await told.until('event')
    await cut(0)
    await told.until('reopened')
    const late = openAt(upstreams, url)
    await next(1)
    await told.until('event', 2)
    expect(told.order).toEqual(['event', 'reopened', 'event'])
    expect(late.told.order).toEqual(['event'])
  })

  it('fails when the subgraph does not come back within the window', async () => {
    await using stack = new AsyncDisposableStack()
    const { told, upstreams, url, server, next } = await start(stack, { reconnect_window: '300ms' })
    await next(0)
    await told.until('event')
    await ('server' in server ? closeSockets(server) : closeStreams(server))
    const waiting = openAt(upstreams, url)
    await told.until('SUBGRAPH_UNREACHABLE')
    expect(told.order).toEqual(['event', 'SUBGRAPH_UNREACHABLE'])
    expect(waiting.told.order).toEqual(['SUBGRAPH_UNREACHABLE'])
    expect(told.failure?.message).toBe('Subgraph "clock" could not be reached.')
    const after = openAt(upstreams, url)
    await after.told.until('SUBGRAPH_UNREACHABLE')
  })

  it('is not waited for any more when the window is over while it is opened again', async () => {
    await using stack = new AsyncDisposableStack()
    const { told, server, next, cut } = await start(stack, { reconnect_window: '1s', open_timeout: '1h' })
    await next(0)
    await told.until('event')
    if ('asked' in server) server.onAsked = () => {}
    else server.acknowledges = false
    await cut(0)
    const isGone = () =>
      'asked' in server ? server.asked[1]?.isGone : typeof server.accepted[1]?.closedWith === 'number'
    await told.until('SUBGRAPH_UNREACHABLE')
    await waitFor('the end of the connection', isGone)
  })

  it('fails at once if the window is 0s, or it was never open', async () => {
    await using stack = new AsyncDisposableStack()
    const { told, cut, next } = await start(stack, { reconnect_window: '0s' })
    await next(0)
    await told.until('event')
    await cut(0)
    await told.until('SUBGRAPH_UNREACHABLE')
    expect(told.failure?.message).toBe('The connection to subgraph "clock" broke.')
    const upstreams = await openUpstreams(stack)
    const never = openAt(upstreams, protocol === 'sse' ? 'http://127.0.0.1:1/' : 'ws://127.0.0.1:1/')
    await never.told.until('SUBGRAPH_UNREACHABLE')
  })

  it('is not opened again when nobody listens any more', async () => {
    await using stack = new AsyncDisposableStack()
    const { source, cut, next, told, upstreams, url, server } = await start(stack)
    await next(0)
    await told.until('event')
    await cut(0)
    source.close()
    const other = openAt(upstreams, url, { headers: ['x-user', 'b'] })
    await next(1)
    await other.told.until('event')
    expect('asked' in server ? server.asked : server.accepted).toHaveLength(2)
  })
})

async function closeSockets(server: HandWrittenServer): Promise<void> {
  server.server.options.server?.close()
  for (const { socket } of server.accepted) socket.terminate()
  await Promise.resolve()
}

async function closeStreams(server: StreamServer): Promise<void> {
  server.close()
  await Promise.resolve()
}

describe('attempts to connect again', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const lost = brokenConnection('clock', true, 'a')

  function start(window: number) {
    const attempts: number[] = []
    const began = performance.now()
    const givenUp: string[] = []
    const reconnection = new Reconnection({
      window,
      connect: () => void attempts.push(performance.now() - began),
      giveUp: ({ failure }) => void givenUp.push(`${failure.code} after ${performance.now() - began}`),
    })
    return { reconnection, attempts, givenUp }
  }

  it('are made after growing pauses, until the window is over', () => {
    const { reconnection, attempts, givenUp } = start(30_000)
    reconnection.opened()
    reconnection.lost(lost)
    let seen = 0
    while (givenUp.length === 0) {
      vi.advanceTimersByTime(10)
      if (attempts.length === seen) continue
      seen = attempts.length
      reconnection.lost(brokenConnection('clock', false, 'b'))
    }
    expect(givenUp).toEqual(['SUBGRAPH_UNREACHABLE after 30000'])
    expect(attempts.length).toBeGreaterThan(8)
    expect(attempts.length).toBeLessThan(18)
    const [first = 0, second = 0] = attempts
    expect(first).toBeLessThanOrEqual(110)
    expect(second - first).toBeGreaterThanOrEqual(90)
  })

  it('of which one hangs are over with the window', () => {
    const { reconnection, attempts, givenUp } = start(30_000)
    reconnection.opened()
    reconnection.lost(lost)
    vi.advanceTimersByTime(60_000)
    expect(attempts).toHaveLength(1)
    expect(givenUp).toEqual(['SUBGRAPH_UNREACHABLE after 30000'])
  })

  it('that succeed only for a moment belong to one outage', () => {
    const { reconnection, attempts, givenUp } = start(30_000)
    reconnection.opened()
    reconnection.lost(lost)
    let seen = 0
    for (let time = 0; time < 40_000; time += 10) {
      vi.advanceTimersByTime(10)
      if (attempts.length === seen) continue
      seen = attempts.length
      reconnection.opened()
      reconnection.lost(lost)
    }
    expect(givenUp).toHaveLength(1)
    expect(attempts.length).toBeLessThan(18)
  })

  it('begin anew after a connection that has lasted', () => {
    const { reconnection, attempts, givenUp } = start(30_000)
    reconnection.opened()
    for (let outage = 1; outage <= 10; outage++) {
      reconnection.lost(lost)
      vi.advanceTimersByTime(110)
      expect(attempts).toHaveLength(outage)
      reconnection.opened()
      vi.advanceTimersByTime(20_000)
    }
    expect(givenUp).toEqual([])
  })

  it('are not made for what would be refused again, nor after the end', () => {
    const refusing = start(30_000)
    refusing.reconnection.opened()
    refusing.reconnection.lost(brokenProtocol('clock', 'refused', false))
    expect(refusing.givenUp).toHaveLength(1)
    const ended = start(30_000)
    ended.reconnection.opened()
    ended.reconnection.lost(lost)
    ended.reconnection[Symbol.dispose]()
    vi.advanceTimersByTime(60_000)
    expect([...refusing.attempts, ...ended.attempts, ...ended.givenUp]).toEqual([])
  })
})
