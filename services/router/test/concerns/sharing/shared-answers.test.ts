/** Requests that would be answered alike, over HTTP. */
import { request as httpRequest } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createLogger, openPropagation } from '@switchyard/service-kit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { type HeldSubgraph, startHeldSubgraph } from '../../support/held-subgraph.ts'
import {
  post,
  type Reply,
  routerOn,
  send,
  type TestRouter,
  type TestRouterOptions,
  until,
} from '../../support/router.ts'

const QUERY = { query: 'query Name { product(upc: "1") { name } }' }
const MUTATION = { query: 'mutation { rename(upc: "1", name: "x") { name } }' }
/** Without what fetches share, which hides whether requests do. */
const ALONE = 'subgraphs: { share_inflight: false }'
const RULES = `headers: { request: [{ propagate: x-user }] }\n${ALONE}`

type Set = { readonly router: TestRouter; readonly products: HeldSubgraph; readonly world: ConfigWorld }

const stack = new AsyncDisposableStack()
let world: ConfigWorld
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
})
afterAll(() => stack.disposeAsync())

let revision = 0
async function started(
  use: AsyncDisposableStack,
  settings = RULES,
  options: Pick<TestRouterOptions, 'propagation'> = {},
): Promise<Set> {
  const products = use.use(await startHeldSubgraph())
  const base = buildArtifact('base', { products: products.url, reviews: products.url })
  const next = buildArtifact('next', { products: products.url, reviews: products.url })
  await world.publish({ revision: ++revision, base, flags: { next } })
  const router = use.use(await routerOn(world, { settings, ...options }))
  await router.ready
  return { router, products, world }
}

const name = ({ json }: Reply) => (json.data?.['product'] as { name: string } | undefined)?.name
const inFlight = (products: HeldSubgraph, count: number) =>
  until(() => products.calls.length === count, `${count} calls are made`)
/** Until the router has read so many requests. */
const joined = (router: TestRouter, count: number) =>
  until(() => router.activeRequests() === count, `${count} requests are in flight`)

describe('requests that would be answered alike', () => {
  it('are executed once while in flight, and never after that', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, QUERY)
    await inFlight(products, 1)
    const others = Array.from({ length: 5 }, (_, id) => post(router, QUERY, { 'x-request-id': `id-${id}` }))
    await joined(router, 6)
    products.calls[0]?.answer()
    const replies = await Promise.all([first, ...others])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.map(name)).toEqual(Array(6).fill('1 of nobody'))
    expect(replies.slice(1).map(({ headers }) => headers['x-request-id'])).toEqual(
      others.map((_, id) => `id-${id}`),
    )
    const logged = router.logs.filter(({ event }) => event === 'request.answered')
    expect(logged.map(({ operation, joined: isJoined }) => [operation, isJoined])).toEqual([
      ['Name', undefined],
      ...others.map(() => ['Name', true]),
    ])
    const later = post(router, QUERY)
    await inFlight(products, 2)
    products.calls[1]?.answer()
    expect(name(await later)).toBe('2 of nobody')
  })

  it('are so by GET as well', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const url = `${router.graphqlUrl}?query=${encodeURIComponent(QUERY.query)}`
    const get = () => send(url, { headers: { 'apollo-require-preflight': 'yes' } })
    const first = get()
    await inFlight(products, 1)
    const second = get()
    await joined(router, 2)
    products.answerAll()
    expect((await Promise.all([first, second])).map(name)).toEqual(['1 of nobody', '1 of nobody'])
  })

  it('find each other while they wait for those in progress', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const names = ['a', 'b', 'c', 'd']
    const bodies = names.map((alias) => ({ query: `{ product(upc: "1") { ${alias}: name } }` }))
    // Then operations are known and connections are open, so that requests arrive in one turn.
    const before = bodies.flatMap((body) => [post(router, body), post(router, body), post(router, body)])
    await joined(router, before.length)
    await until(() => products.calls.map((call) => call.answer()) && router.activeRequests() === 0, 'answers')
    await Promise.all(before)
    const known = products.calls.length
    // While this is held, requests begin one after the other.
    const large = post(router, { ...QUERY, variables: { padding: 'x'.repeat(2 ** 20) } })
    await inFlight(products, known + 1)
    const replies = bodies.flatMap((body) => [post(router, body), post(router, body)])
    await joined(router, 1 + replies.length)
    await inFlight(products, known + 1 + bodies.length)
    products.answerAll()
    expect((await Promise.all([large, ...replies])).map(({ status }) => status)).toEqual(Array(9).fill(200))
    expect(products.calls).toHaveLength(known + 1 + bodies.length)
  })

  it.each([
    ['users that subgraphs tell apart', { 'x-user': 'anna' }, { 'x-user': 'otto' }],
    ['a user and nobody', { 'x-user': 'anna' }, {}],
    ['a flag and base', { 'x-feature-flag': 'next' }, {}],
    ['who takes no answer of others', {}, { 'cache-control': 'no-cache' }],
    ['media types', { accept: 'application/json' }, { accept: 'application/graphql-response+json' }],
  ])('are not those of %s', async (_, one, other) => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, QUERY, one)
    await inFlight(products, 1)
    const second = post(router, QUERY, other)
    await inFlight(products, 2)
    products.answerAll()
    const names = (await Promise.all([first, second])).map(name)
    expect(names[0]).toBe(`1 of ${'x-user' in one ? one['x-user'] : 'nobody'}`)
    expect(names[1]).toBe(`2 of ${'x-user' in other ? other['x-user'] : 'nobody'}`)
  })

  it.each([
    ['join each other', 'tracecontext', 1],
    ['are executed each by itself', 'tracecontext,baggage', 2],
  ])('with other baggage %s where OTEL_PROPAGATORS is %s', async (_, propagators, calls) => {
    await using use = new AsyncDisposableStack()
    const propagation = await openPropagation(
      { OTEL_PROPAGATORS: propagators },
      createLogger({ name: 'test' }),
    )
    const { router, products } = await started(use, RULES, { propagation })
    const replies = ['a=1', 'a=2'].map((baggage) => post(router, QUERY, { baggage }))
    await joined(router, 2)
    await inFlight(products, calls)
    products.answerAll()
    await Promise.all(replies)
    expect(products.calls).toHaveLength(calls)
  })

  it('are executed each by itself where that is the setting', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, 'traffic: { share_inflight: false }')
    const replies = [post(router, QUERY), post(router, QUERY)]
    await inFlight(products, 2)
    products.answerAll()
    expect(new Set((await Promise.all(replies)).map(name)).size).toBe(2)
  })

  it('are never mutations', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const replies = [post(router, MUTATION), post(router, MUTATION)]
    await inFlight(products, 2)
    products.answerAll()
    await Promise.all(replies)
  })
})

it('no user ever gets what is of another, however requests overlap', async () => {
  await using use = new AsyncDisposableStack()
  const { router, products } = await started(use)
  const overlapping = fc.asyncProperty(
    fc.array(request, { minLength: 2, maxLength: 12 }),
    async (requests) => {
      const before = products.calls.length
      const replies = requests.map(({ user, id, waits }) =>
        later(waits, () =>
          post(router, QUERY, { ...(user === null ? {} : { 'x-user': user }), 'x-request-id': id }),
        ),
      )
      const answers = Promise.all(replies)
      const isOver = { now: false }
      const answering = (async () => {
        for (; !isOver.now; await nextTurn()) for (const call of products.calls.slice(before)) call.answer()
      })()
      const names = (await answers).map(name)
      isOver.now = true
      await answering
      requests.forEach(({ user }, index) =>
        expect(names[index]).toMatch(new RegExp(`^\\d+ of ${(user ?? 'nobody').replace('|', '[|]')}$`)),
      )
    },
  )
  await fc.assert(overlapping, { numRuns: 60 })
})

const request = fc.record({
  user: fc.constantFrom('anna', 'otto', 'anna|4:otto', null),
  id: fc.constantFrom('1', '2'),
  /** Turns of the event loop before it is sent. */
  waits: fc.nat(6),
})

async function later<Result>(turns: number, then: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  return then()
}

describe('nobody joins', () => {
  it('what was begun with the composition before', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const before = post(router, QUERY)
    await inFlight(products, 1)
    const urls = { products: products.url, reviews: products.url }
    await world.publish({ revision: ++revision, base: buildArtifact('next', urls), flags: {} })
    const swaps = () => router.logs.filter(({ event }) => event === 'config.swapped').length
    await until(() => swaps() === 2, 'the next composition serves')
    const after = post(router, QUERY)
    await inFlight(products, 2)
    products.answerAll()
    expect((await Promise.all([before, after])).map(name)).toEqual(['1 of nobody', '2 of nobody'])
  })

  it('with a trace', async () => {
    await using use = new AsyncDisposableStack()
    const force = `engine: { force_unauthenticated_request_tracing: true }\n${ALONE}`
    const { router, products } = await started(use, force)
    const untraced = post(router, QUERY)
    await inFlight(products, 1)
    const traced = post(router, QUERY, { 'x-vendor-trace': 'true' })
    await inFlight(products, 2)
    products.answerAll()
    const replies = await Promise.all([untraced, traced])
    expect(replies.map(({ text }) => text.includes('"trace"'))).toEqual([false, true])
  })
})

describe('whoever has the answer to a mutation', () => {
  it('reads what came of it, not what was on its way before', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const before = post(router, QUERY)
    await inFlight(products, 1)
    const mutation = post(router, MUTATION)
    await inFlight(products, 2)
    products.calls[1]?.answer()
    await mutation
    const after = post(router, QUERY)
    await inFlight(products, 3)
    products.answerAll()
    expect((await Promise.all([before, after])).map(name)).toEqual(['1 of nobody', '3 of nobody'])
  })
})

describe('when it goes wrong', () => {
  it('a late one has its own time, and is not failed when that of the first one is over', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use, 'subgraphs: { timeout: 3s, share_inflight: false }')
    const first = post(router, QUERY)
    await inFlight(products, 1)
    await sleep(1_000)
    const late = post(router, QUERY)
    await inFlight(products, 2)
    expect((await first).json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_TIMEOUT')
    products.calls[1]?.answer()
    expect(name(await late)).toBe('2 of nobody')
  })

  it('all who wait get the same error', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const first = post(router, QUERY)
    await inFlight(products, 1)
    const second = post(router, QUERY)
    await joined(router, 2)
    products.calls[0]?.breakOff()
    const replies = await Promise.all([first, second])
    expect(replies.map(({ json }) => json.errors?.[0]?.extensions['code'])).toEqual([
      'SUBGRAPH_UNREACHABLE',
      'SUBGRAPH_UNREACHABLE',
    ])
  })

  it('the one may leave that came first, or one that came later, and nobody else notices', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const some = [leaving(router)]
    await inFlight(products, 1)
    some.push(leaving(router))
    await joined(router, 2)
    const staying = post(router, QUERY)
    await joined(router, 3)
    for (const each of some) each.destroy()
    await joined(router, 1)
    expect(products.calls[0]?.isGone).toBe(false)
    products.calls[0]?.answer()
    expect(name(await staying)).toBe('1 of nobody')
    expect(products.calls).toHaveLength(1)
  })

  it('the call is given up once all have left', async () => {
    await using use = new AsyncDisposableStack()
    const { router, products } = await started(use)
    const both = [leaving(router)]
    await inFlight(products, 1)
    both.push(leaving(router))
    await joined(router, 2)
    for (const each of both) each.destroy()
    await until(() => products.calls[0]?.isGone, 'the call is given up')
    expect(router.activeRequests()).toBe(0)
  })

  function leaving(router: TestRouter) {
    const outgoing = httpRequest(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    })
    outgoing.on('error', () => {})
    outgoing.end(JSON.stringify(QUERY))
    return outgoing
  }
})
