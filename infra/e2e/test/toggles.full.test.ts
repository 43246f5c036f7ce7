/**
 * Toggles of a flag under constant load on one process; `zero-failures.full.test.ts` does so on two
 * routers. No answer may fail or mix two compositions, and each toggle must be served. How long that took is
 * printed, and never asserted.
 */
import { expect, it } from 'vitest'
import { isLongRun } from '@switchyard/testkit'
import { openShop, publishShop, startEmbedded, startShopLoad, toggleFlag } from '../src/index.ts'

const TOGGLES = isLongRun() ? 200 : 60

it('toggles under load drop and mix nothing in one process', async () => {
  await using shop = await openShop()
  await using system = await startEmbedded()
  await publishShop(system, shop)
  await using load = startShopLoad(system.routerUrls)
  const times = await toggleFlag(system, TOGGLES)
  const { requests, failures } = await load.stop()
  expect(failures, system.report()).toEqual({})
  expect(requests).toBeGreaterThan(0)
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0)
  console.log(
    `${TOGGLES} toggles, ${requests} answers under load, acknowledged to served: median ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms`,
  )
})
