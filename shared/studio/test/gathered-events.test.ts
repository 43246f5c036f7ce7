import type { LiveEvent } from '@switchyard/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GatheredEvents } from '../src/page/api/live/gathered-events.ts'

const EVENT: LiveEvent = { kind: 'fleet' }

describe('gathered events', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Hears an event every 100 ms for so long. */
  async function hear(events: GatheredEvents, milliseconds: number): Promise<void> {
    for (let spent = 0; spent < milliseconds; spent += 100) {
      events.add(EVENT)
      await vi.advanceTimersByTimeAsync(100)
    }
  }

  it('let a slow read end, and are read together afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const read = vi.fn<(events: readonly LiveEvent[]) => Promise<void>>(() => promise)
    const events = new GatheredEvents(read)
    await hear(events, 5000)
    expect(read.mock.calls).toEqual([[[EVENT]]])
    resolve()
    await vi.advanceTimersByTimeAsync(1000)
    expect(read.mock.calls).toEqual([[[EVENT]], [Array.from({ length: 49 }, () => EVENT)]])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('are read at most twice a second while reads are quick', async () => {
    const read = vi.fn<() => Promise<void>>(async () => {})
    await hear(new GatheredEvents(read), 5000)
    expect(read.mock.calls.length).toBeGreaterThan(8)
    expect(read.mock.calls.length).toBeLessThan(12)
  })

  it('are read again although a read does not end', async () => {
    const read = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
    await hear(new GatheredEvents(read), 15_000)
    expect(read).toHaveBeenCalledTimes(2)
  })
})
