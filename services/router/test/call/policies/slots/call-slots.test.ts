import * as fc from 'fast-check'
import { fetchesOf } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { type CallSlot, CallSlots } from '../../../../src/call/policies/slots/call-slots.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { startHeldSubgraph } from '../../../support/held-subgraph.ts'
import { post, routerOn, until } from '../../../support/router.ts'
import { startShop } from '../../../support/shop.ts'
import { traceIn } from '../../../tracing/recorder/traced.ts'
import { buildArtifact } from '../../../support/artifacts.ts'

function slotsFor(maxCalls: number, maxWaiting: number) {
  const told = { waited: 0, refused: 0 }
  const watcher = { waited: () => void told.waited++, refused: () => void told.refused++ }
  const slots = new CallSlots({ maxCalls, maxWaiting, maxRate: null }, watcher)
  const log: string[] = []
  const enter = (name: string, address = 'a'): CallSlot => {
    const slot = slots.slotFor(() => ({ address, name: '' }))
    slot.enter(
      () => log.push(`begin ${name}`),
      () => {
        log.push(`refuse ${name}`)
        slot.leave()
      },
    )
    return slot
  }
  return { slots, told, log, enter }
}

describe('places for calls', () => {
  it('are taken in turns by clients, and given up by the one that has most in the line', () => {
    const { enter, log, told } = slotsFor(1, 3)
    const first = enter('a1')
    enter('a2')
    enter('a3')
    enter('b1', 'b')
    enter('a4')
    expect(log).toEqual(['begin a1', 'refuse a2'])
    first.leave()
    expect([log.at(-1), told]).toEqual(['begin a3', { waited: 1, refused: 1 }])
  })

  it('go to the other client next, whatever the first one has put into the line', () => {
    const { enter, log } = slotsFor(1, 100)
    const slots = [enter('a0')]
    for (let count = 1; count < 10; count++) slots.push(enter(`a${count}`))
    slots.push(enter('b0', 'b'))
    slots[0]?.leave()
    slots[1]?.leave()
    expect(log).toEqual(['begin a0', 'begin a1', 'begin b0'])
  })

  it('never are more than there may be, and none is lost, whatever comes and goes', () => {
    const steps = fc.array(
      fc.record({ isNew: fc.boolean(), which: fc.nat(), address: fc.constantFrom('a', 'b', 'c') }),
      {
        maxLength: 200,
      },
    )
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), fc.nat(5), (all, maxCalls, maxWaiting) => {
        const { enter, log, slots } = slotsFor(maxCalls, maxWaiting)
        const open = new Map<string, CallSlot>()
        for (const [index, { isNew, which, address }] of all.entries()) {
          const names = [...open.keys()]
          if (isNew || names.length === 0) open.set(String(index), enter(String(index), address))
          else {
            const name = names[which % names.length] ?? ''
            open.get(name)?.leave()
            open.delete(name)
          }
          for (const entry of log) if (entry.startsWith('refuse ')) open.delete(entry.slice(7))
          const begun = [...open.keys()].filter((name) => log.includes(`begin ${name}`))
          expect(begun.length).toBe(Math.min(maxCalls, open.size))
          expect(slots.waiting).toBe(open.size - begun.length)
          expect(slots.waiting).toBeLessThanOrEqual(maxWaiting)
        }
      }),
    )
  })

  it('are passed on without end where each call is over as soon as it begins', () => {
    const slots = new CallSlots(
      { maxCalls: 1, maxWaiting: 100_000, maxRate: null },
      { waited() {}, refused() {} },
    )
    const lookUpClient = () => ({ address: 'a', name: '' })
    const first = slots.slotFor(lookUpClient)
    first.enter(
      () => {},
      () => {},
    )
    let begun = 0
    for (let count = 0; count < 50_000; count++) {
      const slot = slots.slotFor(lookUpClient)
      slot.enter(
        () => {
          begun++
          slot.leave()
        },
        () => {},
      )
    }
    first.leave()
    expect([begun, slots.waiting]).toEqual([50_000, 0])
  })
})

/** Two failures would open the circuit. */
const LATE = `
subgraphs:
  max_calls: 1
  timeout: 2s
  circuit_breaker: { enabled: true, min_calls: 2, failure_rate: 0.5, open_for: 1m }
`

describe('a subgraph with few places', () => {
  it('gets no more calls at a time; what waits is made later, and what is too much fails at its place', async () => {
    await using stack = new AsyncDisposableStack()
    const held = stack.use(await startHeldSubgraph())
    const shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: buildArtifact('base', { products: held.url, reviews: shop.reviews.url }),
    })
    const settings = 'subgraphs: { overrides: { products: { max_calls: 2, max_waiting_calls: 3 } } }'
    const router = stack.use(await routerOn(world, { settings }))
    await router.ready
    const ask = (alias: number) =>
      post(router, { query: `{ p${alias}: product(upc: "1") { name } kept: reviewHeader(name: "accept") }` })
    const asked = [1, 2, 3, 4, 5, 6].map(ask)
    const isBusy = ({ event }: { readonly event?: string }) => event === 'subgraph.busy'
    await until(async () => (router.logs.some(isBusy) ? true : undefined), 'a call that is not made')
    expect(held.calls.length).toBe(2)
    held.answerAll()
    const replies = await Promise.all(asked)
    const busy = replies.filter(({ json }) => json.errors !== undefined)
    expect(busy).toHaveLength(1)
    expect(busy[0]?.json.errors?.[0]).toMatchObject({
      message: 'Subgraph "products" was not called: too many calls wait for it.',
      path: [expect.stringMatching(/^p\d$/)],
      extensions: { code: 'SUBGRAPH_BUSY', serviceName: 'products' },
    })
    // What the other subgraph answers is kept.
    expect(busy[0]?.json.data).toMatchObject({ kept: expect.stringContaining('json') })
    expect(held.calls.length).toBe(5)
  })

  it('lets go of what nobody waits for any more, which does not open its circuit', async () => {
    await using stack = new AsyncDisposableStack()
    const held = stack.use(await startHeldSubgraph())
    const shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: buildArtifact('base', { products: held.url, reviews: shop.reviews.url }),
    })
    const router = stack.use(await routerOn(world, { settings: LATE }))
    await router.ready
    const ask = (alias: number) => post(router, { query: `{ p${alias}: product(upc: "1") { name } }` })
    const codes = (await Promise.all([1, 2, 3].map(ask))).map(
      ({ json }) => json.errors?.[0]?.extensions?.['code'],
    )
    expect(codes).toEqual(['SUBGRAPH_TIMEOUT', 'SUBGRAPH_TIMEOUT', 'SUBGRAPH_TIMEOUT'])
    held.answerAll()
    expect((await ask(4)).json.errors).toBeUndefined()
  })

  it('gets its calls at the rate of max_rate: one that waits too long fails by its time limit, unsent', async () => {
    await using stack = new AsyncDisposableStack()
    const held = stack.use(await startHeldSubgraph())
    const shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: buildArtifact('base', { products: held.url, reviews: shop.reviews.url }),
    })
    // The second call might begin ten seconds after the first one.
    const settings = 'subgraphs: { overrides: { products: { max_rate: 0.1, timeout: 5s } } }'
    const router = stack.use(await routerOn(world, { settings }))
    await router.ready
    const ask = (alias: number) =>
      post(router, { query: `{ p${alias}: product(upc: "1") { name } kept: reviewHeader(name: "accept") }` })
    const first = ask(1)
    await until(() => held.calls.length === 1, 'the first call is made')
    const { json } = await ask(2)
    expect(json.errors?.[0]).toMatchObject({ path: ['p2'], extensions: { code: 'SUBGRAPH_TIMEOUT' } })
    expect(json.data).toMatchObject({ kept: expect.stringContaining('json') })
    expect(held.calls.length).toBe(1)
    held.answerAll()
    await first
  })

  it('says in traces how long a call waited', async () => {
    await using stack = new AsyncDisposableStack()
    const held = stack.use(await startHeldSubgraph())
    const shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: buildArtifact('base', { products: held.url, reviews: shop.reviews.url }),
    })
    const settings = 'subgraphs: { max_calls: 1 }\nengine: { force_unauthenticated_request_tracing: true }'
    const router = stack.use(await routerOn(world, { settings }))
    await router.ready
    const ask = async (alias: number, more = '') => {
      const query = `{ p${alias}: product(upc: "1") { name } kept: reviewHeader(name: "accept") }`
      const reply = await post(router, { query }, { 'x-vendor-trace': `true${more}` })
      const waited = fetchesOf(traceIn(reply)).map(({ trace }) => trace?.duration_waiting_nanoseconds)
      return waited.filter((time) => time !== undefined)
    }
    const first = ask(1)
    await until(() => held.calls.length === 1, 'the first call is made')
    const [second, plain] = [ask(2), ask(3, ',exclude_load_stats')]
    await until(() => router.activeRequests() === 3, 'the others wait')
    held.answerAll()
    expect(await first).toEqual([])
    expect(await second).toEqual([expect.any(Number)])
    expect((await second)[0]).toBeGreaterThan(0)
    expect(await plain).toEqual([])
  })
})
