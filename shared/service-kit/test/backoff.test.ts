import { describe, expect, it } from 'vitest'
import { Backoff } from '../src/servers/backoff.ts'

describe('a pause between attempts', () => {
  it('grows up to its limit and starts again after a success', () => {
    const backoff = new Backoff(1000)
    const pauses = Array.from({ length: 8 }, () => backoff.pause())
    expect(pauses[0]).toBeLessThanOrEqual(100)
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000)
    backoff.reset()
    expect(backoff.pause()).toBeLessThanOrEqual(100)
  })

  it('begins as short as it is told to', () => {
    const pauses = Array.from({ length: 100 }, () => new Backoff(1000, 20).pause())
    expect(Math.max(...pauses)).toBeLessThanOrEqual(20)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10)
    expect(new Set(pauses).size).toBeGreaterThan(1)
  })
})
