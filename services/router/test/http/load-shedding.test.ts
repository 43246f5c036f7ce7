import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LoadShedding } from '../../src/listen/load-shedding.ts'
import { post, until } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

describe('load shedding', () => {
  function shedding(random = () => 0.5) {
    const told: string[] = []
    const watcher = {
      shedding: () => told.push('began'),
      over: (refused: number) => told.push(`over ${refused}`),
    }
    return { told, load: new LoadShedding({ maxDelay: 100, watcher, random }) }
  }

  it('refuses nobody for one long turn by itself, more and more while the loop is late, and fewer after', () => {
    const { told, load } = shedding()
    using _ = load
    load.measured(150)
    expect([load.share, load.refuses()]).toEqual([0, false])
    for (let count = 0; count < 100; count++) load.measured(1000)
    expect([load.share, load.refuses()]).toEqual([0.95, true])
    for (let count = 0; count < 100; count++) load.measured(0)
    expect([load.share, load.refuses(), told]).toEqual([0, false, ['began', 'over 1']])
  })

  it('refuses the part that it says, between nobody and almost everybody', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 200 }), (delays) => {
        const { load } = shedding(() => load.share - 1e-9)
        using _ = load
        for (const delay of delays) {
          load.measured(delay)
          expect(load.share).toBeGreaterThanOrEqual(0)
          expect(load.share).toBeLessThanOrEqual(0.95)
          expect(load.refuses()).toBe(load.share > 0)
        }
      }),
    )
  })
})

it('a router whose event loop is late refuses requests with 503 until it keeps up again', async () => {
  await using shop = await startShopRouter({ settings: 'traffic: { max_event_loop_delay: 20ms }' })
  const { router } = shop
  const ask = () => post(router, { query: '{ version }' })
  // On a busy machine the loop may be late without what this test does.
  const answers = () => until(async () => (await ask()).status === 200, 'an answer')
  await answers()
  const refused = await until(async () => {
    hold(150)
    await sleep(1)
    const reply = await ask()
    return reply.status === 503 ? reply : undefined
  }, 'a refusal')
  expect([refused.headers['retry-after'], refused.json.errors?.[0]?.extensions]).toEqual([
    '1',
    { code: 'OVERLOADED' },
  ])
  await until(
    async () => (router.logs.some(({ event }) => event === 'overload.over') ? true : undefined),
    'the end of it',
  )
  await answers()
})

function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
