/** What operators see of calls that are made a second time, and how settings about them change. */
import { recordSpans } from '@switchyard/testkit'
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../../../src/config/router-config.ts'
import { type HeldCall, type HeldSubgraph, startHeldSubgraph } from '../../../support/held-subgraph.ts'
import { startMeasuredRouter } from '../../../support/measured-router.ts'
import { post, until } from '../../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../../support/subgraph.ts'
import { hedged, type Hedging } from './hedged-request.ts'

const NAME = '{ product(upc: "1") { name } }'
const HEDGE = 'hedge: { enabled: true, after: 1ms }'

const settingsOf = (products: Pick<HeldSubgraph, 'url'>, subgraphs: string, more = '') => `${more}
traffic: { share_inflight: false }
subgraphs: { overrides: { products: { urls: ['${products.url}'] } }, ${subgraphs} }`

async function started(use: AsyncDisposableStack, subgraphs = HEDGE) {
  const spans = use.use(recordSpans())
  const products = use.use(await startHeldSubgraph())
  const { router, metrics } = use.use(await startMeasuredRouter(settingsOf(products, subgraphs)))
  const hedging: Hedging = {
    calls: () => products.calls,
    ask: (query = NAME) => post(router, { query }),
  }
  return {
    ...hedging,
    router,
    spanStates: () =>
      spans
        .finished()
        .flatMap(({ name, attributes }) =>
          name === 'subgraph products' ? [attributes['switchyard.hedge'] ?? null] : [],
        ),
    /** Values by the label that tells one from another. */
    async counted(name: string, label: string) {
      const samples = (await metrics()).get(`switchyard_router_${name}_total`)?.samples ?? []
      return Object.fromEntries(samples.map(({ labels, value }) => [labels[label], value]))
    },
    apply: (changed: string, more = '') => {
      const text = settingsOf(products, changed, more)
      return router.apply(
        loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS }),
      )
    },
  }
}

const answer = (call: HeldCall) => call.answer()

it('second calls are told in spans and metrics by what became of them', async () => {
  await using use = new AsyncDisposableStack()
  // Long enough for a busy machine to make both calls before their time is over.
  const router = await started(use, `${HEDGE}, timeout: 2s`)
  const won = await hedged(router)
  answer(won.second)
  await won.reply
  const lost = await hedged(router)
  answer(lost.first)
  await lost.reply
  const failed = await hedged(router)
  failed.second.breakOff()
  await until(async () => (await router.counted('subgraph_hedges', 'outcome'))['failed'] === 1, 'it is told')
  answer(failed.first)
  await failed.reply
  await (await hedged(router)).reply
  await until(() => router.spanStates().length === 4, 'all spans have ended')
  expect(router.spanStates()).toEqual(['won', 'lost', 'failed', 'sent'])
  expect(await router.counted('subgraph_hedges', 'outcome')).toEqual({
    won: 1,
    lost: 1,
    failed: 1,
    'given-up': 1,
  })
})

it('calls that are made once have nothing of that', async () => {
  await using use = new AsyncDisposableStack()
  const router = await started(use, 'hedge: { enabled: true, after: 29s }')
  const reply = router.ask()
  await until(() => router.calls().length === 1, 'it is made')
  router.calls().forEach(answer)
  await reply
  await until(() => router.spanStates().length === 1, 'its span has ended')
  expect(router.spanStates()).toEqual([null])
  expect(await router.counted('subgraph_hedges', 'outcome')).toEqual({})
})

it('settings that change are for calls that come after them, and leave a budget that is spent as it is', async () => {
  await using use = new AsyncDisposableStack()
  // Calls that nobody answers end soon.
  const short = `${HEDGE}, timeout: 200ms`
  const router = await started(use, HEDGE)
  // A call that is hedged goes on as it began.
  const { second, reply } = await hedged(router)
  await router.apply('hedge: { enabled: false }, timeout: 200ms')
  answer(second)
  expect((await reply).json.errors).toBeUndefined()
  const calls = router.calls().length
  await router.ask()
  expect(router.calls().length).toBe(calls + 1)
  const refused = async () => (await router.counted('subgraph_hedges_refused', 'reason'))['budget'] ?? 0
  /**
   * Asks until so many more are refused, and returns how often. A late machine ends calls before their
   * hedge.
   */
  const askUntilRefused = async (more: number): Promise<number> => {
    const enough = (await refused()) + more
    let asked = 0
    for (; (await refused()) < enough; asked += 10)
      await Promise.all(Array.from({ length: 10 }, () => router.ask()))
    return asked
  }
  await router.apply(short)
  // Spends what is saved.
  await askUntilRefused(21)
  const before = router.calls().length
  await router.apply(short, 'cors: { max_age: 7 }')
  const asked = await askUntilRefused(9)
  expect(router.calls().length - before - asked).toBeLessThanOrEqual(asked / 10)
})

describe('when the event loop was held up,', () => {
  it('answers are read that have come meanwhile, and no second call is made', async () => {
    await using use = new AsyncDisposableStack()
    let calls = 0
    const heldUpAt: number[] = []
    const body = JSON.stringify({ data: { product: { __typename: 'Product', upc: '1', name: 'Table' } } })
    // Its answer is on the way to the router, in the same thread, and cannot be read yet.
    const holdUp = (): void => {
      heldUpAt.push(performance.now())
      const until = performance.now() + 400
      while (performance.now() < until);
    }
    const server = createServer((request, response) => {
      calls++
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body, holdUp)
      })
    })
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
    use.defer(() => closeServer(server))
    const subgraphs = 'hedge: { enabled: true, after: 300ms }'
    const { router, metrics } = use.use(await startMeasuredRouter(settingsOf({ url }, subgraphs)))
    const hedges = async () => (await metrics()).get('switchyard_router_subgraph_hedges_total')?.samples ?? []
    let shown = 0
    while (shown < 3) {
      const before = { calls, held: heldUpAt.length, hedges: await hedges(), at: performance.now() }
      expect((await post(router, { query: NAME })).json.data).toEqual({ product: { name: 'Table' } })
      // A call that arrived this late on a busy machine may have been hedged before: that shows nothing.
      if ((heldUpAt[before.held] ?? Infinity) - before.at > 200) continue
      expect(calls).toBe(before.calls + 1)
      // None was begun either, and given up before it was sent.
      expect(await hedges()).toEqual(before.hedges)
      shown += 1
    }
  })
})
