/**
 * 200 toggles of a flag under constant load. What must hold is the correctness: no failed and no mixed answer, and each toggle
 * served. How long a toggle took to be served is measured and printed; it is a figure for docs and benchmarks, never an assertion.
 */
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  openShop,
  publishShop,
  startEmbedded,
  startLoad,
  startOnRealServers,
  waitForVariant,
  wrongAnswers,
} from '../src/index.ts'

const TOGGLES = 200
const realServers = natsServerAvailable() && redisServerAvailable()

describe('flag toggles under load', () => {
  it('drops and mixes nothing in one process', () => toggle(startEmbedded), 240_000)
  it.skipIf(!realServers)(
    'drops and mixes nothing on separate processes with NATS and Redis',
    () => toggle(startOnRealServers),
    300_000,
  )
})

async function toggle(start: () => Promise<Constellation>): Promise<void> {
  await using shop = await openShop()
  await using system = await start()
  await publishShop(system, shop)
  const load = startLoad(system.routerUrls)
  const latencies: number[] = []
  for (let index = 0; index < TOGGLES; index++) {
    const action = index % 2 === 0 ? 'disable' : 'enable'
    const reply = await system.manage('POST', `/v1/feature-flags/default/next/${action}?wait=0`, {})
    expect(reply.status, `${JSON.stringify(reply.body)}\n${system.report()}`).toBe(200)
    expect(reply.body['changed']).toBe(true)
    const acknowledged = performance.now()
    await Promise.all(
      system.routerUrls.map((url) => waitForVariant(system, url, action === 'enable' ? 'next' : 'base')),
    )
    latencies.push(performance.now() - acknowledged)
  }
  const report = await load.stop()
  expect(wrongAnswers(report), system.report()).toEqual([])
  expect(report.answers.get('next') ?? 0).toBeGreaterThan(0)
  latencies.sort((a, b) => a - b)
  const at = (share: number): string =>
    (latencies[Math.floor(share * (latencies.length - 1))] ?? 0).toFixed(0)
  console.log(
    `${system.kind}: ${TOGGLES} toggles, ${report.total} answers under load, acknowledged to served on every router: median ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms`,
  )
}
