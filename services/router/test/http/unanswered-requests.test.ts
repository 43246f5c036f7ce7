/** What requests hold until they are answered: their bodies, and what subgraphs have answered. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Gate } from '../support/gate.ts'
import { DEFERRING, gatedWorld } from '../support/gated-world.ts'
import type { ConfigWorld } from '../support/config-world.ts'
import { data, type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { heldBytes } from '../support/heap.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../support/router.ts'
import { openSlowReaders } from '../support/slow-readers.ts'
import { startSubgraph } from '../support/subgraph.ts'

const MEBIBYTE = 1024 * 1024

const stack = new AsyncDisposableStack()
let products: RawSubgraph
let gate: Gate
let world: ConfigWorld

beforeAll(async () => {
  products = stack.use(await startRawSubgraph())
  const reviews = stack.use(await startSubgraph('reviews'))
  const gated = await gatedWorld(stack, { products: products.url, reviews: reviews.url })
  gate = gated.gate
  world = gated.world
})
afterAll(() => stack.disposeAsync())

async function startWith(limits: string): Promise<TestRouter> {
  const settings = `${DEFERRING}\ntraffic: { share_inflight: false, trusted_proxies: [127.0.0.1], ${limits} }`
  const router = await routerOn(world, { settings })
  await router.ready
  return router
}

const of = (client: string) => ({ 'x-forwarded-for': client })

describe('bodies that arrive slowly', () => {
  it('are refused beyond the limit, the longest waiting of the client that has most', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unanswered_size: 7MiB, max_unanswered_size_per_client: 7MiB'))
    const body = JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(2 * MEBIBYTE) } })
    const sending = async (client: string) => {
      const socket = connect(router.port, '127.0.0.1')
      socket.on('error', () => {})
      use.defer(() => void socket.destroy())
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${client}\r\nContent-Length: ${body.length}\r\n\r\n`
      // All but the last byte; the system takes more than the router has read.
      const isTaken = socket.write(head + body.slice(0, -1))
      if (!isTaken) await once(socket, 'drain')
      return { finish: () => socket.write(body.slice(-1)), text: () => text }
    }
    const quiet = await sending('198.51.100.1')
    const greedy: (typeof quiet)[] = []
    for (let number = 0; number < 4; number++) greedy.push(await sending('198.51.100.2'))
    const refused = () => [quiet, ...greedy].map(({ text }) => text().includes('"code":"OVERLOADED"'))
    await until(() => refused().filter(Boolean).length === 2, 'two are refused')
    expect(refused()[0]).toBe(false)
    expect(router.logs.find(({ event }) => event === 'router.unanswered-limit')).toMatchObject({ givenUp: 1 })
    const refusedBefore = refused()
    for (const request of [quiet, ...greedy]) request.finish()
    await until(
      () => [quiet, ...greedy].every(({ text }) => text().includes('\r\n\r\n{')),
      'all are answered',
    )
    expect(refused()).toEqual(refusedBefore)
    expect(quiet.text()).toContain('{"data":{"__typename":"Query"}}')
  })
})

describe('requests that wait for a subgraph', () => {
  const NAMED = { query: '{ product(upc: "1") { name reviews { body } } }' }
  const named = (length: number) =>
    products.answers(data(`{"product":{"__typename":"Product","upc":"1","name":"${'x'.repeat(length)}"}}`))

  it('give way beyond the limit, with what other subgraphs have answered, the first of the client with most', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unanswered_size: 7MiB, max_unanswered_size_per_client: 7MiB'))
    named(2 * MEBIBYTE)
    gate.close()
    use.defer(() => gate.open())
    const answers: Promise<Reply>[] = []
    for (const client of ['198.51.100.1', ...Array.from({ length: 4 }, () => '198.51.100.2')]) {
      const before = gate.held.count
      answers.push(post(router, NAMED, of(client)))
      await until(() => gate.held.count > before || answers.length > 3, 'its first call is answered')
    }
    const settled: number[] = []
    for (const [index, answer] of answers.entries()) void answer.then(() => settled.push(index))
    await until(() => settled.length === 2, 'two have given way')
    expect(settled).not.toContain(0)
    gate.open()
    const replies = await Promise.all(answers)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503])
    expect(replies[0]?.status).toBe(200)
    const refused = replies.find(({ status }) => status === 503)
    expect(refused?.json.errors?.[0]?.extensions['code']).toBe('OVERLOADED')
    expect(refused?.headers['cache-control']).toBe('no-store')
  })

  it('leave their room when they are answered', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unanswered_size: 5MiB'))
    named(2 * MEBIBYTE)
    gate.open()
    for (let round = 0; round < 8; round++) expect((await post(router, NAMED)).status).toBe(200)
    expect(router.logs.find(({ event }) => event === 'router.unanswered-limit')).toBeUndefined()
  })

  it('end a stream in the order that its client expects', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unanswered_size: 5MiB, max_unanswered_size_per_client: 5MiB'))
    named(3 * MEBIBYTE)
    gate.close()
    use.defer(() => gate.open())
    const before = gate.held.count
    const stream = post(
      router,
      { query: '{ product(upc: "1") { name ...@defer { reviews { body } } } }' },
      { accept: 'multipart/mixed;incrementalSpec=v0.2' },
    )
    await until(() => gate.held.count > before, 'its fragment is fetched')
    named(4 * MEBIBYTE)
    const other = post(router, NAMED, of('198.51.100.3'))
    await until(
      () => router.logs.some(({ event }) => event === 'router.unanswered-limit'),
      'somebody gives way',
    )
    gate.open()
    const ended = await Promise.race([stream, other])
    expect(ended.text).toContain('OVERLOADED')
    await Promise.all([stream, other])
  })

  it('keep nothing of a stream that is made to its end, though its client does not read it', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith('max_unanswered_size: 1GiB, max_unanswered_size_per_client: 1GiB'))
    // Much of what the subgraph sends is nothing that was asked for.
    named(2 * MEBIBYTE)
    const before = await heldBytes()
    const clients = 10
    use.use(
      await openSlowReaders(router.port, {
        protocol: 'HTTP/2',
        clients,
        body: JSON.stringify({ query: '{ product(upc: "1") { upc ...@defer { price } } }' }),
        headers: { accept: 'multipart/mixed;incrementalSpec=v0.2' },
      }),
    )
    await until(() => products.received.length === clients * 2, 'all have got what they need')
    await until(async () => (await heldBytes()) - before < clients * MEBIBYTE, 'it is let go')
  })
})
