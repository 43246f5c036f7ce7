/** Listeners that share a source. */
import { recordMetrics, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { HandWrittenServer } from './hand-written-socket.ts'
import { openAt, type Opening, openUpstreams, Told } from './support.ts'

describe('a shared source', () => {
  it('tells each listener what comes after it has joined, whatever others do', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const throwing = openAt(upstreams, server.url)
    throwing.told.onEvent = () => {
      throw new Error('this listener fails')
    }
    const leaving = openAt(upstreams, server.url)
    leaving.told.onEvent = () => leaving.source.close()
    const victim = openAt(upstreams, server.url)
    const victim2 = openAt(upstreams, server.url)
    const joined: Told[] = []
    victim.told.onEvent = () => {
      victim2.source.close()
      if (joined.length === 0) joined.push(openAt(upstreams, server.url).told)
    }
    const last = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    accepted.next('1', 1)
    accepted.next('1', 2)
    await last.told.until('event', 2)
    expect([throwing, leaving, victim, victim2, last].map(({ told }) => told.events.length)).toEqual([
      2, 1, 2, 0, 2,
    ])
    expect(joined.map(({ events }) => events)).toEqual([[{ data: 2 }]])
    accepted.send({ type: 'complete', id: '1' })
    await last.told.until('completed')
    expect([throwing, leaving, victim, victim2].map(({ told }) => told.last)).toEqual([
      'completed',
      'event',
      'completed',
      undefined,
    ])
    expect(joined.map((told) => told.last)).toEqual(['completed'])
    expect(accepted.messages.filter(({ type }) => type === 'subscribe')).toHaveLength(1)
  })

  it('tells nobody of its end whom another listener has closed', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const closed = Promise.withResolvers<void>()
    class Closing extends Told {
      override completed(): void {
        super.completed()
        other.source.close()
        closed.resolve()
      }
    }
    openAt(upstreams, server.url, {}, new Closing())
    const other = openAt(upstreams, server.url)
    const accepted = await server.subscribed()
    accepted.send({ type: 'complete', id: '1' })
    await closed.promise
    expect(other.told.order).toEqual([])
    // The next one that comes is not told the end of the one before.
    const next = openAt(upstreams, server.url)
    await server.subscribed(0, 2)
    accepted.next('2', 1)
    await next.told.until('event')
  })

  it('is over for a listener that closes it while GraphQL errors are told', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const { source, told } = openAt(await openUpstreams(stack), server.url)
    told.onEvent = () => source.close()
    const accepted = await server.subscribed()
    accepted.send({ type: 'error', id: '1', payload: [{ message: 'a' }] })
    await told.until('event')
    accepted.send({ type: 'ping' })
    await accepted.received('pong')
    expect(told.order).toEqual(['event'])
    expect(accepted.messages.map(({ type }) => type)).not.toContain('complete')
  })

  const different: readonly (readonly [string, Opening])[] = [
    ['bodies', { body: '{"query":"subscription { b }"}' }],
    ['headers', { headers: ['x-user', 'b'] }],
    ['payloads of the handshake', { initPayload: { user: 'b' } }],
    ['subgraphs', { subgraph: 'other' }],
    ['ways to read numbers', { exactNumbers: true }],
  ]
  it.each(different)('is not shared by requests of different %s', async (_what, opening) => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    openAt(upstreams, server.url)
    openAt(upstreams, server.url, opening)
    await waitFor('two subscriptions', () => {
      const all = server.accepted.flatMap(({ messages }) => messages)
      return all.filter(({ type }) => type === 'subscribe').length === 2
    })
  })

  it('is counted, as are those who listen, and its connection', async () => {
    await using stack = new AsyncDisposableStack()
    const metrics = stack.use(recordMetrics())
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const sum = (name: string) =>
      metrics.measured
        .filter((one) => one.name === `switchyard.router.upstream_${name}`)
        .reduce((all, { value }) => all + value, 0)
    const all = () => ['connections', 'sources', 'listeners', 'events'].map(sum)
    const opened = [1, 2, 3].map(() => openAt(upstreams, server.url))
    openAt(upstreams, server.url, { body: '{"query":"subscription { b }"}' })
    const accepted = await server.subscribed(0, 2)
    accepted.next('1', 1)
    await opened[0]?.told.until('event')
    expect(all()).toEqual([1, 2, 4, 1])
    for (const { source } of opened) source.close()
    for (const { source } of opened) source.close()
    expect(all()).toEqual([1, 1, 1, 1])
    accepted.send({ type: 'complete', id: '2' })
    await waitFor('the end', () => sum('sources') === 0)
    await upstreams[Symbol.asyncDispose]()
    expect(all()).toEqual([0, 0, 0, 1])
  })
})
