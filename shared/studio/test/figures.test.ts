import { describe, expect, it } from 'vitest'
import { linesOf } from '../src/page/pages/graph/figures.ts'

const MINUTE = 60_000
const told = (flag: string | null, requests: number) => ({
  flag,
  requests,
  errors: 6,
  latencyMs: { p50: 5, p90: 8, p99: null },
})
const minute = (at: number, ...compositions: ReturnType<typeof told>[]) => ({
  time: at * MINUTE,
  routers: 1,
  compositions,
})

describe('the lines of a graph', () => {
  it('have no value in minutes that nobody told, and zero where a flag was not asked for', () => {
    const { times, requests, errors } = linesOf({
      minutes: [minute(1, told(null, 60), told('prices', 120)), minute(3, told(null, 30))],
    })
    expect(times).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE])
    expect(requests).toEqual([
      { label: 'base', values: [1, null, 0.5] },
      { label: 'prices', values: [2, null, 0] },
    ])
    expect(errors[0]?.values).toEqual([0.1, null, 0.1])
  })

  it('begin and end with minutes that routers told, of all that the registry answers with', () => {
    const untold = (at: number) => ({ ...minute(at), routers: 0 })
    const { times, requests } = linesOf({
      minutes: [untold(1), minute(2, told(null, 60)), untold(3), minute(4), untold(5)],
    })
    expect(times).toEqual([2 * MINUTE, 3 * MINUTE, 4 * MINUTE])
    expect(requests).toEqual([{ label: 'base', values: [1, null, 0] }])
    expect(linesOf({ minutes: [untold(1)] }).times).toEqual([])
  })

  it('are of base and the three flags with most requests', () => {
    const flags = ['a', 'b', 'c', 'd'].map((name, index) => told(name, index + 1))
    const { requests, latency, leftOut } = linesOf({ minutes: [minute(1, ...flags)] })
    expect(requests.map(({ label }) => label)).toEqual(['base', 'd', 'c', 'b'])
    expect(latency.map(({ label }) => label)).toEqual(['base, p50', 'base, p99', 'd, p50', 'd, p99'])
    expect(leftOut).toBe(1)
  })
})
