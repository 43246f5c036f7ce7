import { describe, expect, it } from 'vitest'
import { Changes } from '../src/index.ts'

const LONG_MS = 60_000

describe('waiting for a condition', () => {
  it('looks again at every change', async () => {
    const changes = new Changes()
    let count = 0
    const waiting = changes.until(() => count === 2, LONG_MS, new AbortController().signal)
    for (let change = 0; change < 2; change += 1) {
      const seen = changes.next
      count += 1
      changes.notify()
      await seen
    }
    expect(await waiting).toBe(true)
  })

  it('does not wait for what holds already', async () => {
    expect(await new Changes().until(() => true, 0, AbortSignal.abort())).toBe(true)
  })

  it('gives up at the time limit and at the signal', async () => {
    const changes = new Changes()
    const stop = new AbortController()
    const never = () => false
    expect(await changes.until(never, 1, stop.signal)).toBe(false)
    const waiting = changes.until(never, LONG_MS, stop.signal)
    stop.abort()
    expect(await waiting).toBe(false)
  })
})
