/** The readiness of a router that compiles feature flags; the tests move the clock. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Generations } from '../../src/generations/generations.ts'
import { ReadyGate } from '../../src/generations/ready-gate.ts'

const LIMIT = 120_000

describe('a router that starts with flags in use', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function gateOf({ isHeard = true, unbuilt = 30 } = {}) {
    const told = { opened: 0, late: 0 }
    const generations = {
      serving: {} as NonNullable<Generations['serving']>,
      hasUnbuiltFlags: true,
      buildsFlagsInUse: true,
    }
    const gate = new ReadyGate(
      {
        generations,
        limit: () => LIMIT,
        onOpen: () => told.opened++,
        onLimit: () => told.late++,
      },
      isHeard,
    )
    let left = unbuilt
    const build = () => {
      left--
      generations.buildsFlagsInUse = left > 0
      generations.hasUnbuiltFlags = left > 0
      gate.settled()
    }
    gate.look()
    return { gate, told, build }
  }

  it('is ready when all are compiled, however long that takes, as long as it gets on', () => {
    const { gate, told, build } = gateOf({ unbuilt: 30 })
    for (let flag = 1; flag < 30; flag++) {
      vi.advanceTimersByTime(LIMIT - 1)
      build()
      expect(gate.isOpen).toBe(false)
    }
    build()
    expect({ ...told, isOpen: gate.isOpen }).toEqual({ opened: 1, late: 0, isOpen: true })
  })

  it('is ready, and says which are missing, when none was compiled for as long as the limit', () => {
    const { gate, told, build } = gateOf({ unbuilt: 30 })
    vi.advanceTimersByTime(LIMIT - 1)
    build()
    vi.advanceTimersByTime(LIMIT - 1)
    expect(gate.isOpen).toBe(false)
    vi.advanceTimersByTime(1)
    expect({ ...told, isOpen: gate.isOpen }).toEqual({ opened: 1, late: 1, isOpen: true })
    build()
    vi.advanceTimersByTime(10 * LIMIT)
    expect(told).toEqual({ opened: 1, late: 1 })
  })

  it('waits no longer than the limit to hear which flags are in use', () => {
    const { gate, build } = gateOf({ isHeard: false, unbuilt: 30 })
    vi.advanceTimersByTime(LIMIT - 1)
    build()
    expect(gate.isOpen).toBe(false)
    vi.advanceTimersByTime(1)
    expect(gate.isOpen).toBe(true)
  })
})
