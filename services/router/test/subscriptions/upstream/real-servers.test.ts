/** Subscriptions at the real servers of graphql-ws and of GraphQL Yoga. */
import { createServer as createHttps } from 'node:https'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate, waitFor } from '@switchyard/testkit'
import { useServer } from 'graphql-ws/use/ws'
import { createSchema, createYoga } from 'graphql-yoga'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { listen, openAt, openUpstreams, serve } from './support.ts'

/** What subgraphs have seen, and what they are told to do. */
class Clock {
  /** Subscriptions that are open. */
  open = 0
  readonly #waiting = new Set<(tick: number | null) => void>()

  tick(value: number | null): void {
    for (const tell of this.#waiting) tell(value)
  }

  /** The values that `tick` is called with from now on, until it is called with null. */
  ticks(): AsyncIterableIterator<number> {
    const queue: (number | null)[] = []
    let wake = (): void => {}
    const tell = (tick: number | null): void => {
      queue.push(tick)
      wake()
    }
    this.#waiting.add(tell)
    this.open++
    const end = () => {
      if (this.#waiting.delete(tell)) this.open--
      return Promise.resolve({ done: true, value: undefined } as const)
    }
    return {
      async next() {
        while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        const value = queue.shift() ?? null
        return value === null ? end() : { done: false, value }
      },
      return: end,
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

function schemaOf(clock: Clock) {
  return createSchema({
    typeDefs: 'scalar Big type Query { a: Int } type Subscription { ticks: Int, three: Int, broken: Int }',
    resolvers: {
      Subscription: {
        ticks: { subscribe: () => clock.ticks(), resolve: (tick: number) => tick },
        three: {
          async *subscribe() {
            for (const three of [1, 2, 3]) yield await Promise.resolve({ three })
          },
        },
        broken: {
          subscribe: () => {
            throw new Error('not today')
          },
        },
      },
    },
  })
}

const body = (field: string) => JSON.stringify({ query: `subscription { ${field} }` })

function yogaOf(clock: Clock): RequestListener {
  const yoga = createYoga({ schema: schemaOf(clock), logging: false })
  return (request, response) => void yoga(request, response)
}

/** Serves subscriptions in one protocol. Returns the URL. */
async function serveClock(stack: AsyncDisposableStack, clock: Clock, protocol: string): Promise<string> {
  if (protocol === 'sse') return `http${(await serve(stack, yogaOf(clock))).at}`
  const { server, at } = await serve(stack)
  serveSockets(stack, server, clock)
  return `ws${at}`
}

function serveSockets(stack: AsyncDisposableStack, server: Server, clock: Clock): WebSocketServer {
  const sockets = new WebSocketServer({ server })
  useServer(
    {
      schema: schemaOf(clock),
      onConnect: ({ connectionParams }) => connectionParams?.['token'] !== 'wrong',
    },
    sockets,
  )
  stack.defer(() => {
    for (const client of sockets.clients) client.terminate()
  })
  return sockets
}

const lists = (...values: readonly number[]) => values.map((three) => ({ data: { three } }))

describe.each(['graphql-transport-ws', 'sse'])('a subgraph that serves %s', (protocol) => {
  it('sends events until it completes the subscription', async () => {
    await using stack = new AsyncDisposableStack()
    const url = await serveClock(stack, new Clock(), protocol)
    const upstreams = await openUpstreams(stack)
    const { told } = openAt(upstreams, url, { body: body('three') })
    await told.until('completed')
    expect(told.events).toEqual(lists(1, 2, 3))
    expect(told.order).toEqual(['event', 'event', 'event', 'completed'])
  })

  it('tells its GraphQL errors as an event and then that it is over', async () => {
    await using stack = new AsyncDisposableStack()
    const url = await serveClock(stack, new Clock(), protocol)
    const upstreams = await openUpstreams(stack)
    const { told } = openAt(upstreams, url, { body: body('unknown') })
    await told.until('completed')
    expect(told.order).toEqual(['event', 'completed'])
    expect(told.events).toMatchObject([{ errors: [{ message: /unknown/ }] }].map(matching))
    const { told: failing } = openAt(upstreams, url, { body: body('broken') })
    await failing.until('completed')
    expect(failing.order).toEqual(['event', 'completed'])
  })

  it('serves equal subscriptions once, and ends it when the last one leaves', async () => {
    await using stack = new AsyncDisposableStack()
    const clock = new Clock()
    const url = await serveClock(stack, clock, protocol)
    const upstreams = await openUpstreams(stack)
    const opening = { body: body('ticks') }
    const first = openAt(upstreams, url, opening)
    await waitFor('the subscription', () => clock.open === 1)
    clock.tick(1)
    await first.told.until('event')
    const second = openAt(upstreams, url, opening)
    clock.tick(2)
    await second.told.until('event')
    expect(clock.open).toBe(1)
    expect(second.told.events).toEqual([{ data: { ticks: 2 } }])
    expect(first.told.events).toHaveLength(2)
    first.source.close()
    clock.tick(3)
    await second.told.until('event', 2)
    expect(first.told.events).toHaveLength(2)
    second.source.close()
    await waitFor('the end of the subscription', () => clock.open === 0)
  })
})

describe('WebSockets', () => {
  it('carry all subscriptions of a handshake, and say who is asking', async () => {
    await using stack = new AsyncDisposableStack()
    const clock = new Clock()
    const { server, at } = await serve(stack)
    const seen: (string | undefined)[] = []
    const sockets = serveSockets(stack, server, clock)
    sockets.on('connection', (_socket, { headers }) => seen.push(headers.authorization))
    const upstreams = await openUpstreams(stack)
    const headers = ['authorization', 'Bearer a', 'content-type', 'application/json', 'host', 'elsewhere']
    const opened = ['ticks', 'a: ticks', 'b: ticks'].map((field) =>
      openAt(upstreams, `ws${at}`, { body: body(field), headers }),
    )
    openAt(upstreams, `ws${at}`, { body: body('ticks'), headers: ['authorization', 'Bearer b'] })
    await waitFor('all subscriptions', () => clock.open === 4)
    expect(seen.toSorted()).toEqual(['Bearer a', 'Bearer b'])
    clock.tick(7)
    for (const { told } of opened) await told.until('event')
    expect(opened.map(({ told }) => told.events[0])).toEqual(
      ['ticks', 'a', 'b'].map((name) => ({ data: { [name]: 7 } })),
    )
  })

  it('that the subgraph forbids are not tried again', async () => {
    await using stack = new AsyncDisposableStack()
    const url = await serveClock(stack, new Clock(), 'graphql-transport-ws')
    const upstreams = await openUpstreams(stack)
    const { told } = openAt(upstreams, url, { initPayload: { token: 'wrong' } })
    await told.until('SUBGRAPH_INVALID_RESPONSE')
    expect(told.failure?.message).toBe('Subgraph "clock" refused the WebSocket: forbidden (close code 4403).')
  })
})

describe('connections for subscriptions', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'upstream-'))))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(['graphql-transport-ws', 'sse'])('obey the TLS settings of the subgraph (%s)', async (protocol) => {
    await using stack = new AsyncDisposableStack()
    const authority = createCertificate({ name: 'test authority', authority: true })
    const file = join(folder, 'ca.pem')
    await writeFile(file, authority.cert)
    const certificate = createCertificate({ name: 'subgraph', hosts: ['127.0.0.1'], signedBy: authority })
    const clock = new Clock()
    const isStream = protocol === 'sse'
    const secure = createHttps(certificate, isStream ? yogaOf(clock) : undefined)
    const port = await listen(secure)
    stack.defer(() => {
      secure.closeAllConnections()
      secure.close()
    })
    if (!isStream) serveSockets(stack, secure, clock)
    const url = `${isStream ? 'https' : 'wss'}://127.0.0.1:${port}/graphql`
    const trusting = await openUpstreams(stack, { file: `subgraphs: { tls: { ca_file: ${file} } }` })
    const { told } = openAt(trusting, url, { body: body('three') })
    await told.until('completed')
    expect(told.events).toEqual(lists(1, 2, 3))
    const { told: refused } = openAt(await openUpstreams(stack), url, { body: body('three') })
    await refused.until('SUBGRAPH_UNREACHABLE')
  })

  it.each(['graphql-transport-ws', 'sse'])(
    'lead to the Unix socket of the subgraph (%s)',
    async (protocol) => {
      await using stack = new AsyncDisposableStack()
      const path = join(folder, `${protocol}.sock`)
      const clock = new Clock()
      const isStream = protocol === 'sse'
      const server = createHttp(isStream ? yogaOf(clock) : undefined)
      await new Promise<void>((resolve) => void server.listen(path, resolve))
      stack.defer(() => {
        server.closeAllConnections()
        server.close()
      })
      if (!isStream) serveSockets(stack, server, clock)
      const file = `subgraphs: { overrides: { clock: { socket_path: ${path} } } }`
      const upstreams = await openUpstreams(stack, { file })
      const url = `${isStream ? 'http' : 'ws'}://clock.test:4001/graphql`
      const { told } = openAt(upstreams, url, { body: body('three') })
      await told.until('completed')
      expect(told.events).toEqual(lists(1, 2, 3))
    },
  )

  it.each(['ws', 'http'])(
    'are not made to an address that the settings do not allow (%s:)',
    async (scheme) => {
      await using stack = new AsyncDisposableStack()
      const { at, server } = await serve(stack)
      let connections = 0
      server.on('connection', () => connections++)
      const upstreams = await openUpstreams(stack, { file: 'subgraphs: { allowed_networks: [public] }' })
      for (const host of [at, at.replace('127.0.0.1', 'localhost')]) {
        const { told } = openAt(upstreams, `${scheme}${host}`)
        expect(told.order).toEqual([])
        await told.until('SUBGRAPH_ADDRESS_NOT_ALLOWED')
        expect(told.failure?.message).toBe('Subgraph "clock" is at an address that is not allowed.')
      }
      expect(connections).toBe(0)
    },
  )
})

function matching(event: { readonly errors: readonly { readonly message: RegExp }[] }) {
  return { errors: event.errors.map(({ message }) => ({ message: expect.stringMatching(message) })) }
}
