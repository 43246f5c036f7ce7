/** Calls that are made a second time while the first one lasts, of subgraphs that hold their answers. */
import { fetchesOf, type TraceFetch } from '@switchyard/request-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../../support/artifacts.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { type HeldCall, type HeldSubgraph, startHeldSubgraph } from '../../../support/held-subgraph.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../../../support/router.ts'
import { startSubgraph, type TestSubgraph } from '../../../support/subgraph.ts'
import { hedged } from './hedged-request.ts'
import { traceIn } from '../../../tracing/recorder/traced.ts'

const NAME = '{ product(upc: "1") { name } }'
const RENAME = 'mutation { rename(upc: "1", name: "x") { name } }'
/** As soon as can be: so a second call is made whenever the subgraph does not answer, and that waits. */
const HEDGE = 'hedge: { enabled: true, after: 1ms }'
/** Long enough for a busy machine to make both calls before their time is over. */
const FOR_BOTH = '2s'
const NEVER = 'hedge: { enabled: true, after: 29s }'
const TRACING = 'engine: { force_unauthenticated_request_tracing: true }\n'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let reviews: TestSubgraph
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  reviews = stack.use(await startSubgraph('reviews'))
})
afterAll(() => stack.disposeAsync())

type Started = {
  readonly router: TestRouter
  /** The addresses of products. */
  readonly held: readonly HeldSubgraph[]
  /** Calls of all of them, in the order in which each got them. */
  calls(): readonly HeldCall[]
  ask(query?: string, headers?: Record<string, string>): Promise<Reply>
}

let revision = 0
async function started(
  use: AsyncDisposableStack,
  { count = 1, subgraphs = HEDGE, more = '', own = '', sharing = false } = {},
): Promise<Started> {
  const held: HeldSubgraph[] = []
  for (let index = 0; index < count; index++) held.push(use.use(await startHeldSubgraph()))
  const urls = held.map(({ url }) => url)
  const base = buildArtifact('base', { products: urls[0] ?? '', reviews: reviews.url })
  await world.publish({ revision: ++revision, base })
  const settings = `${more}
traffic: { share_inflight: ${sharing} }
subgraphs: { overrides: { products: { urls: ${JSON.stringify(urls)} ${own} } }, ${subgraphs} }`
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return {
    router,
    held,
    calls: () => held.flatMap(({ calls }) => calls),
    ask: (query = NAME, headers = {}) => post(router, { query }, headers),
  }
}

const nameOf = ({ json }: Reply) => (json.data?.['product'] as { name: string } | null | undefined)?.name
const codes = ({ json }: Reply) => json.errors?.map(({ extensions }) => extensions['code'])
const events = (router: TestRouter, name: string) => router.logs.filter(({ event }) => event === name)
const made = (router: Started, count: number) =>
  until(() => router.calls().length === count, `${count} calls are made`)
const gone = (call: HeldCall | undefined) => until(() => call?.isGone === true, 'the call is given up')

describe('a call to which no answer begins', () => {
  it('is made a second time, and the other call is given up when the second is answered', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    const { first, second, reply } = await hedged(router)
    second.answer('second')
    expect((await reply).json).toEqual({ data: { product: { name: 'second' } } })
    await gone(first)
    expect(events(router.router, 'subgraph.hedged')).toMatchObject([{ subgraph: 'products', count: 1 }])
    expect(events(router.router, 'subgraph.failed')).toEqual([])
  })

  it('is answered by the first call if that comes first, and the second is given up', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    const { first, second, reply } = await hedged(router)
    first.answer('first')
    expect(nameOf(await reply)).toBe('first')
    await gone(second)
  })

  it('never gets the answer of a call that was given up, and neither do those after it', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { count: 2, subgraphs: `${HEDGE}, max_connections: 2` })
    for (let round = 0; round < 10; round++) {
      const { first, second, reply } = await hedged(router)
      const [winner, loser] = round % 2 === 0 ? [first, second] : [second, first]
      winner.answer(`winner ${round}`)
      loser.answer(`loser ${round}`)
      expect(nameOf(await reply)).toMatch(/^(winner|loser) /)
      expect(nameOf(await reply)).toMatch(new RegExp(` ${round}$`))
    }
  })

  it('goes to another address the second time', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { count: 2 })
    for (let round = 1; round <= 4; round++) {
      const { second, reply } = await hedged(router)
      expect(router.held.map(({ calls }) => calls.length)).toEqual([round, round])
      second.answer()
      await reply
    }
  })

  it('waits for the other call when one of them fails', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    for (const isFirst of [true, false]) {
      const { first, second, reply } = await hedged(router)
      const [failing, other] = isFirst ? [first, second] : [second, first]
      failing.breakOff()
      await gone(failing)
      other.answer('other')
      expect((await reply).json).toEqual({ data: { product: { name: 'other' } } })
    }
  })

  it('fails when both fail, and is then made again where retries allow it', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    const both = await hedged(router)
    both.second.breakOff()
    both.first.breakOff()
    expect(codes(await both.reply)).toEqual(['SUBGRAPH_UNREACHABLE'])
    const again = await started(use, {
      subgraphs: `${HEDGE}, retry: { max_retries: 1, backoff: 1ms }`,
    })
    const { first, second, reply } = await hedged(again)
    first.breakOff()
    second.breakOff()
    await until(() => again.calls().length >= 3, 'it is made again')
    again.calls()[2]?.answer('third')
    expect(nameOf(await reply)).toBe('third')
  })

  it('is given up whole when its client leaves, and when its time is over', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    const leaving = new AbortController()
    const sent = fetch(router.router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: NAME }),
      signal: leaving.signal,
    })
    await made(router, 2)
    leaving.abort()
    await expect(sent).rejects.toThrow()
    for (const call of router.calls()) await gone(call)
    const late = await started(use, { subgraphs: `${HEDGE}, timeout: ${FOR_BOTH}` })
    expect(codes(await late.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(late.calls()).toHaveLength(2)
    for (const call of late.calls()) await gone(call)
  })
})

describe('a second call is not made', () => {
  it('unless the settings say so', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { subgraphs: 'timeout: 300ms' })
    expect(codes(await router.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(1)
  })

  it('where one subgraph is excepted, and is where only one subgraph has it', async () => {
    await using use = new AsyncDisposableStack()
    const subgraphs = `${HEDGE}, timeout: 300ms`
    const off = await started(use, { subgraphs, own: ', hedge: { enabled: false }' })
    expect(codes(await off.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(off.calls()).toHaveLength(1)
    const on = await started(use, { subgraphs: 'timeout: 1m', own: `, ${HEDGE}` })
    const { second, reply } = await hedged(on)
    second.answer()
    await reply
  })

  it('of a mutation', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { subgraphs: `${HEDGE}, timeout: 300ms` })
    expect(codes(await router.ask(RENAME))).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(1)
  })

  it('when an answer comes in time', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { subgraphs: NEVER })
    for (const held of router.held) held.answerAll()
    for (let count = 1; count <= 5; count++) expect(nameOf(await router.ask())).toBe(`${count} of nobody`)
    expect(router.calls()).toHaveLength(5)
  })

  it('where no other address is well', async () => {
    await using use = new AsyncDisposableStack()
    const subgraphs = `${HEDGE}, timeout: ${FOR_BOTH}`
    const router = await started(use, { subgraphs, count: 2 })
    const { first, second, reply } = await hedged(router)
    second.breakOff()
    await gone(second)
    first.answer()
    await reply
    // Where it failed is set aside.
    const before = router.calls().length
    expect(codes(await router.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(before + 1)
  })

  it('beyond the places of its subgraph, of which it takes one until one of the two calls is over', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { own: ', max_calls: 2, max_waiting_calls: 10' })
    const { first, second, reply } = await hedged(router)
    // Both places are taken.
    const waiting = router.ask()
    await until(() => router.router.activeRequests() === 2, 'another request is there')
    second.answer('second')
    expect(nameOf(await reply)).toBe('second')
    await gone(first)
    // It finds a place now, and the other one is free for its second call.
    await made(router, 4)
    router.calls()[2]?.answer('third')
    expect(nameOf(await waiting)).toBe('third')
    const alone = await started(use, { own: ', max_calls: 1', subgraphs: `${HEDGE}, timeout: 300ms` })
    expect(codes(await alone.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(alone.calls()).toHaveLength(1)
  })
})

describe('an answer', () => {
  it.each([
    [503, 'application/json'],
    [429, 'application/json'],
    [302, 'application/json'],
    [200, 'text/html'],
  ])(
    'with status %s and type %s is not waited for where the other call may come to more',
    async (status, type) => {
      await using use = new AsyncDisposableStack()
      const router = await started(use)
      const { first, second, reply } = await hedged(router)
      first.fail(status, type)
      await until(() => first.isSent, 'it is sent')
      second.answer('second')
      expect((await reply).json).toEqual({ data: { product: { name: 'second' } } })
    },
  )

  it('that is an error is what clients get where the other call fails, too', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use)
    const { first, second, reply } = await hedged(router)
    first.breakOff()
    await gone(first)
    second.fail(503, 'text/html')
    expect(codes(await reply)).toEqual(['SUBGRAPH_HTTP_ERROR'])
  })
})

describe('circuits', () => {
  const CIRCUIT = 'circuit_breaker: { enabled: true, min_calls: 2, failure_rate: 0.5, open_for: 1h }'

  it('count a call once, and not what was given up', async () => {
    await using use = new AsyncDisposableStack()
    for (const count of [1, 2]) {
      const router = await started(use, { count, subgraphs: `${HEDGE}, ${CIRCUIT}` })
      for (let round = 0; round < 6; round++) {
        const { second, reply } = await hedged(router)
        second.answer()
        expect(nameOf(await reply)).toBeDefined()
      }
      expect(events(router.router, 'subgraph.circuit-opened')).toEqual([])
      expect(events(router.router, 'subgraph.address-set-aside')).toEqual([])
    }
  })

  it('open by second calls that fail at their address', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { count: 3, subgraphs: `${HEDGE}, ${CIRCUIT}` })
    const { first, second, reply } = await hedged(router)
    second.breakOff()
    await until(() => events(router.router, 'subgraph.address-set-aside').length === 1, 'it is told')
    first.answer()
    expect(nameOf(await reply)).toBeDefined()
  })

  it('that probe get no second call as a probe', async () => {
    await using use = new AsyncDisposableStack()
    const probing = CIRCUIT.replace('1h', '1ms')
    const router = await started(use, { subgraphs: `${HEDGE}, ${probing}, timeout: ${FOR_BOTH}` })
    // Both calls of each count once: by the time limit.
    for (let round = 0; round < 2; round++) expect(codes(await router.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(4)
    await until(() => events(router.router, 'subgraph.circuit-opened').length === 1, 'the circuit is open')
    expect(codes(await router.ask())).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(5)
  })
})

describe('a trace', () => {
  /** `decide`: is given the call at this address, and the other one. */
  async function traced(
    router: Started,
    address: number,
    decide: (call: HeldCall | undefined, other: HeldCall | undefined) => unknown,
  ) {
    const { reply } = await hedged(router, NAME, { 'x-vendor-trace': 'true' })
    const last = router.held.map(({ calls }) => calls.at(-1))
    await decide(last[address], last[1 - address])
    const fetches = fetchesOf(traceIn(await reply))
    const { trace } = fetches.find(({ source_name }) => source_name === 'products') as TraceFetch
    expect(trace.input).toMatchObject({ url: router.held[address]?.url })
    expect(trace.failed_attempts).toHaveLength(1)
    const [attempt = {}] = trace.failed_attempts ?? []
    // The one that began later is the second call.
    const began = (of: typeof attempt) => of.duration_since_start_nanoseconds ?? Number.NaN
    expect(trace.hedge ?? false).toBe(began(trace) > began(attempt))
    expect(attempt.hedge ?? false).toBe(began(trace) < began(attempt))
    expect(attempt.duration_load_nanoseconds).toBeGreaterThan(0)
    return { ...attempt, answeredBySecond: trace.hedge ?? false }
  }

  it('has both calls, and which one was answered', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { count: 2, more: TRACING })
    const attempts = []
    // Calls begin at both addresses in turns.
    for (const address of [0, 0, 1, 1]) attempts.push(await traced(router, address, (call) => call?.answer()))
    for (const attempt of attempts) expect(attempt).toMatchObject({ given_up: true })
    expect(new Set(attempts.map(({ answeredBySecond }) => answeredBySecond))).toEqual(new Set([true, false]))
  })

  it('has the status of a call that failed', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { count: 2, more: TRACING })
    const attempt = await traced(router, 0, async (call, other) => {
      other?.fail(503, 'application/json')
      await until(() => events(router.router, 'subgraph.address-set-aside').length === 1, 'it is told')
      call?.answer()
    })
    expect(attempt).toMatchObject({ status_code: 503 })
    expect(attempt).not.toHaveProperty('given_up')
  })

  it('that is to be the same each time has none', async () => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, { more: TRACING, subgraphs: `${HEDGE}, timeout: 300ms` })
    const headers = { 'x-vendor-trace': 'enable_predictable_debug_timings' }
    expect(codes(await router.ask(NAME, headers))).toEqual(['SUBGRAPH_TIMEOUT'])
    expect(router.calls()).toHaveLength(1)
  })
})

it('is one call for all who wait for it, and goes on when the one leaves that began it', async () => {
  await using use = new AsyncDisposableStack()
  const router = await started(use, { sharing: true })
  const leaving = new AbortController()
  const left = fetch(router.router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: NAME }),
    signal: leaving.signal,
  })
  await made(router, 2)
  // Another document of which the same is asked.
  const stays = router.ask(`${NAME} `)
  await until(() => router.router.activeRequests() === 2, 'it is read')
  // Its calls come after those of all that was read before it.
  const last = router.ask('{ product(upc: "last") { name } }')
  await made(router, 4)
  for (const call of router.calls().slice(2)) {
    expect(call.body).toContain('last')
    call.answer()
  }
  await last
  leaving.abort()
  await expect(left).rejects.toThrow()
  router.calls()[1]?.answer('one call')
  expect(nameOf(await stays)).toBe('one call')
  expect(router.calls()).toHaveLength(4)
})

/** How many calls `count` requests are, of a subgraph that answers none of them. */
async function callsOfSlow(router: Started, count: number): Promise<number> {
  const before = router.calls().length
  const replies = await Promise.all(Array.from({ length: count }, () => router.ask()))
  for (const reply of replies) expect(codes(reply)).toEqual(['SUBGRAPH_TIMEOUT'])
  return router.calls().length - before
}

describe('a subgraph that answers nothing', () => {
  it.each([
    [1, 0.05, ''],
    [2, 0.05, ''],
    [1, 0.1, ', retry: { max_retries: 3, backoff: 1ms }, first_byte_timeout: 500ms'],
    [2, 0.1, ', retry: { max_retries: 3, backoff: 1ms }, first_byte_timeout: 500ms'],
  ])('at %s addresses gets %s of its calls more, and ten at the beginning%s', async (count, share, more) => {
    await using use = new AsyncDisposableStack()
    const router = await started(use, {
      count,
      // Long enough for a busy machine to send all calls of the test before the first one ends.
      subgraphs: `${HEDGE}, timeout: 5s, max_connections: 400 ${more}`,
    })
    const COUNT = 100
    expect(await callsOfSlow(router, COUNT)).toBeLessThanOrEqual(COUNT * (1 + share) + 10)
    expect(events(router.router, 'subgraph.hedges-spent').length).toBeGreaterThan(0)
    const later = await callsOfSlow(router, COUNT)
    expect(later).toBeLessThanOrEqual(COUNT * (1 + share))
    // Where all addresses are set aside, there is none for second calls.
    if (count === 1) expect(later).toBeGreaterThan(COUNT)
  })
})
