import { describe, expect, it } from 'vitest'
import { healthOf, Outage } from '../src/index.ts'

describe('an outage', () => {
  it('is told once, keeps its newest reason, and is told again after it was over', () => {
    const told: unknown[] = []
    const outage = new Outage((error) => told.push(error))
    expect(outage.problem).toBeNull()
    outage.noticed(new Error('refused'))
    outage.noticed('timed out')
    expect(outage.problem).toBe('timed out')
    expect(told).toEqual([new Error('refused')])
    outage.over()
    expect(outage.problem).toBeNull()
    outage.noticed(new Error('again'))
    expect(told).toHaveLength(2)
  })
})

describe('the health of a service with problems', () => {
  it('names the first three and counts the others', () => {
    expect(healthOf([])).toEqual({ ok: true })
    expect(healthOf(['a', 'b'])).toEqual({ ok: false, reason: 'a; b' })
    expect(healthOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ ok: false, reason: 'a; b; c; and 2 more' })
  })
})
