import { waitFor } from '@switchyard/testkit'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startLoad } from '../src/index.ts'
import { Latencies } from '../src/latencies.ts'
import { answerJson, serve } from './support/misbehaving-server.ts'

const PER_SECOND = 200
const INTERVAL = 1000 / PER_SECOND
/** Requests that are due while the server stands still. */
const HELD = 40

describe('percentiles', () => {
  it('are those of the times, to a thousandth', () => {
    const latencies = new Latencies()
    for (let time = 1000; time >= 1; time--) latencies.add(time)
    const { p50, p90, p99, p999, max } = latencies.percentiles ?? expect.fail('no percentiles')
    for (const [found, expected] of [
      [p50, 500],
      [p90, 900],
      [p99, 990],
      [p999, 999],
      [max, 1000],
    ] as const)
      expect(Math.abs(found - expected) / expected).toBeLessThan(0.001)
  })

  it('are none without times', () => {
    expect(new Latencies().percentiles).toBeNull()
  })

  it('hold whatever is given, from nothing to days', () => {
    const latencies = new Latencies(2)
    for (const time of [-1, 0, 1e-9, 1e9]) latencies.add(time)
    const { p50, max } = latencies.percentiles ?? expect.fail('no percentiles')
    expect(p50).toBe(0.001)
    expect(Math.abs(max - 3_600_000) / 3_600_000).toBeLessThan(0.01)
  })
})

describe('a server that stands still', () => {
  it.each([
    ['a limit of requests at a time holds the others back', 1],
    ['requests are sent all the same', 1000],
  ])('shows in all the requests that were due meanwhile, when %s', async (_, maxInFlight) => {
    const held: ServerResponse[] = []
    let isStill = true
    await using server = await serve((_request, response) => {
      if (isStill) held.push(response)
      else answerJson(response, { data: { a: 1 } })
    })
    await using load = startLoad({
      urls: [server.url],
      pace: { kind: 'rate', perSecond: PER_SECOND },
      maxInFlight,
      timeout: 60_000,
    })
    // The first request is due by now.
    const began = performance.now()
    await waitFor('them to be due', () => performance.now() - began > HELD * INTERVAL && held.length > 0, {
      everyMs: 1,
    })
    isStill = false
    for (const response of held) answerJson(response, { data: { a: 1 } })
    await waitFor('twice as many answers', () => load.report.requests >= 2 * HELD, { everyMs: 1 })
    const { latency, failed } = load.report
    expect(failed).toBe(0)
    // The first waited for all of the time, the others each for an interval less: however fast the rest is
    // answered, half of all requests so far were held up, and every second of these for more than half of the
    // time.
    expect(latency?.max).toBeGreaterThan(HELD * INTERVAL * 0.99)
    expect(latency?.p90).toBeGreaterThan(HELD * INTERVAL * 0.7)
  })

  it('is asked less where clients wait for their answers', async () => {
    const held: ServerResponse[] = []
    await using server = await serve((_request, response) => held.push(response))
    const pace = { kind: 'connections', count: 3 } as const
    await using load = startLoad({ urls: [server.url], pace, timeout: 60_000 })
    await waitFor('each to ask', () => held.length === 3)
    const stopping = load.stop()
    for (const response of held) answerJson(response, { data: {} })
    const report = await stopping
    expect(report.requests).toBe(3)
    expect(held).toHaveLength(3)
  })
})
