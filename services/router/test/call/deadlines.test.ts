import { describe, expect, it } from 'vitest'
import { Deadlines } from '../../src/call/in-flight/deadlines.ts'
import { until } from '../support/router.ts'

describe('deadlines', () => {
  it('expire in their order, and not when cancelled', async () => {
    using deadlines = new Deadlines()
    const expired: string[] = []
    const limit = (name: string) => ({ expire: () => void expired.push(name) })
    const cancelled = limit('cancelled')
    deadlines.add(limit('late'), 120)
    deadlines.add(limit('early'), 30)
    deadlines.cancel(cancelled, deadlines.add(cancelled, 60))
    await until(() => expired.includes('late'), 'the last one expires')
    expect(expired).toEqual(['early', 'late'])
  })

  it('never expire early, however long the process was blocked before', async () => {
    let now = 1000
    using deadlines = new Deadlines(() => now)
    const expired: number[] = []
    deadlines.add({ expire: () => void expired.push(now) }, 1000)
    let other = false
    deadlines.add({ expire: () => (other = true) }, 0)
    await until(() => other, 'the other one expires')
    expect(expired).toEqual([])
    now = 5000
    await until(() => expired.length > 0, 'it expires')
    expect(expired).toEqual([5000])
  })
})
