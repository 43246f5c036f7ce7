import { describe, expect, it } from 'vitest'
import { ErrorWindow, isEmergency, parseEmergencyStop } from '../src/index.ts'

const stop = parseEmergencyStop('errors=20%')

/** A window with as many requests in each second, of which the first ones failed. */
function windowOf(seconds: readonly number[], requests: number, errors: number, clusters = 64): ErrorWindow {
  const window = new ErrorWindow()
  for (const second of seconds)
    for (let request = 0; request < requests; request += 1)
      window.count(second, request % clusters, request < errors)
  return window
}

const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

describe('the emergency stop', () => {
  it('holds for more errors than the limit', () => {
    expect(isEmergency(stop, windowOf(TEN, 20, 5).totals(9))).toBe(true)
    expect(isEmergency(stop, windowOf(TEN, 20, 4).totals(9))).toBe(false)
  })

  it('ignores a few requests', () => {
    expect(isEmergency(stop, windowOf([0], 49, 49).totals(0))).toBe(false)
    expect(isEmergency(stop, windowOf([0], 50, 50).totals(0))).toBe(true)
  })

  it('ignores a single client that fails alone', () => {
    expect(isEmergency(stop, windowOf(TEN, 100, 100, 1).totals(9))).toBe(false)
    expect(isEmergency(stop, windowOf(TEN, 100, 100, 3).totals(9))).toBe(false)
    expect(isEmergency(stop, windowOf(TEN, 100, 100, 4).totals(9))).toBe(true)
  })

  it('forgets what is older than ten seconds', () => {
    const window = windowOf([100], 80, 80)
    expect(window.totals(109)).toEqual({ requests: 80, errors: 80, failedClusters: 64 })
    expect(window.totals(110)).toEqual({ requests: 0, errors: 0, failedClusters: 0 })
    window.count(110, 0, false)
    expect(window.totals(110)).toEqual({ requests: 1, errors: 0, failedClusters: 0 })
  })

  it('does not count what comes late, or for a second that is none', () => {
    const window = windowOf([25], 1, 0)
    window.count(15, 0, true)
    window.count(Number.NaN, 0, true)
    window.count(Number.POSITIVE_INFINITY, 0, true)
    expect(window.totals(25)).toEqual({ requests: 1, errors: 0, failedClusters: 0 })
    window.count(24, 0, true)
    expect(window.totals(25)).toEqual({ requests: 2, errors: 1, failedClusters: 1 })
  })

  it('takes what routers told since before, by cluster', () => {
    const window = new ErrorWindow()
    window.add(3, [60, 20, 20, 20], [10, 10, 10, 10])
    window.add(4, [-500, 0], [-500, Number.NaN])
    expect(window.totals(4)).toEqual({ requests: 120, errors: 40, failedClusters: 4 })
    expect(isEmergency(stop, window.totals(4))).toBe(true)
  })
})
