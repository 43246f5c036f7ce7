import { describe, expect, it } from 'vitest'
import { Restarts } from '../../src/workers/restarts.ts'

describe('when workers that came to their end are replaced', () => {
  it('at once, as long as each of them ends once within a minute', () => {
    const restarts = new Restarts(3, () => 0)
    expect([restarts.ended(), restarts.ended(), restarts.ended()]).toEqual([
      { delay: 0, ends: 1 },
      { delay: 0, ends: 2 },
      { delay: 0, ends: 3 },
    ])
  })

  it('later and later when they end again and again, and never more than half a minute later', () => {
    const restarts = new Restarts(2, () => 0)
    const delays = Array.from({ length: 12 }, () => restarts.ended().delay)
    expect(delays).toEqual([0, 0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  it('so that an input that ends every worker at once starts a bounded number of them within ten minutes', () => {
    for (const workers of [1, 2, 8, 64]) {
      let now = 0
      const restarts = new Restarts(workers, () => now)
      // Each place ends as soon as it is taken again.
      const places = Array.from({ length: workers }, () => 0)
      let starts = 0
      while (now < 600_000) {
        now = Math.min(...places)
        const place = places.indexOf(now)
        const { delay } = restarts.ended()
        starts++
        places[place] = now + delay
      }
      expect(starts).toBeLessThan(workers * 25 + 100)
    }
  })

  it('at once again after a minute without an end', () => {
    let now = 0
    const restarts = new Restarts(1, () => now)
    restarts.ended()
    expect(restarts.ended().delay).toBe(500)
    now = 60_000
    expect(restarts.ended()).toEqual({ delay: 0, ends: 1 })
  })
})
