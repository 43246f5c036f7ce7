/**
 * What second calls do for clients of a subgraph that is slow now and then, and what they cost it.
 * `make test-long` goes on for longer.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isLongRun } from '@switchyard/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { answerWell, IllSubgraph } from './ill-subgraph.ts'
import { startIllWorld } from './ill-world.ts'
import { SteadyLoad } from './steady-load.ts'

/** One call of so many takes `SLOW` milliseconds, others `FAST`. */
const EACH = 40
const SLOW = 1000
const FAST = 5
const SECONDS = isLongRun() ? 20 : 8
const HEDGE = 'hedge: { enabled: true, after: 50ms }'
const SAVED = 10

const rows: string[] = []
afterAll(() => console.info(rows.join('\n')))

describe('a subgraph of which few calls are slow', () => {
  it.each([
    ['one address', 1, ''],
    ['one address, with second calls', 1, HEDGE],
    ['two addresses', 2, ''],
    ['two addresses, with second calls', 2, HEDGE],
  ])('%s', async (name, count, settings) => {
    await using stack = new AsyncDisposableStack()
    const all: IllSubgraph[] = []
    for (let index = 0; index < count; index++) all.push(stack.use(await IllSubgraph.start()))
    let calls = 0
    for (const subgraph of all)
      subgraph.fallIll({
        asked: (call) => {
          const latency = ++calls % EACH === 0 ? SLOW : FAST
          void delay(latency).then(() => call.socket.destroyed || answerWell(call))
        },
      })
    const urls = JSON.stringify(all.map(({ url }) => url))
    const world = stack.use(
      await startIllWorld(`timeout: 60s, overrides: { stock: { urls: ${urls} } }, ${settings}`),
    )
    const load = new SteadyLoad((query) => world.ask(query), 10)
    await delay(SECONDS * 1000)
    await load.stop()
    expect(load.wrong).toEqual([])
    expect(load.samples.filter(({ code }) => code !== null)).toEqual([])
    const times = load.samples.map(({ began, ended }) => ended - began).sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    const isHedged = settings !== ''
    expect(calls).toBeLessThanOrEqual(isHedged ? times.length * 1.05 + SAVED : times.length)
    if (isHedged) expect(at(0.99)).toBeLessThan(SLOW / 2)
    else expect(at(0.99)).toBeGreaterThan(SLOW / 2)
    const shown = [0.5, 0.95, 0.99, 0.999].map((share) => `${at(share).toFixed(0)} ms`).join(' | ')
    rows.push(`| ${name} | ${shown} | ${calls} for ${times.length} |`)
  })
})
