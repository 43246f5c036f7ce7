/** The time of a phase, by a clock of the test. */
import { describe, expect, it } from 'vitest'
import { Deadlines } from '../../../src/call/in-flight/deadlines.ts'
import { PhasedCall } from '../../../src/call/policies/phases/phase-limits.ts'
import type { Expiring } from '../../../src/call/in-flight/deadlines.ts'

/** Deadlines that are over when the test says so. */
class HeldDeadlines extends Deadlines {
  readonly due: { readonly expiring: Expiring; readonly milliseconds: number }[] = []
  override add(expiring: Expiring, milliseconds: number): number {
    return this.due.push({ expiring, milliseconds })
  }
  override cancel(): void {
    this.due.length = 0
  }
  pass(): void {
    for (const { expiring } of this.due.splice(0)) expiring.expire()
  }
}

function call(limits: { firstByte: number | null; idle: number | null }) {
  const events: string[] = []
  const deadlines = new HeldDeadlines()
  const clock = { now: 0, isPaused: false }
  const controller = {
    aborted: false,
    reason: null,
    get paused() {
      return clock.isPaused
    },
    pause: () => void (clock.isPaused = true),
    resume: () => void (clock.isPaused = false),
    abort: (error: Error) => void events.push(`abort ${error.name}`),
  }
  const phased = new PhasedCall(
    {
      onRequestStart: () => void events.push('start'),
      onResponseStart: () => void events.push('head'),
      onResponseData: () => void events.push('data'),
      onResponseEnd: () => void events.push('end'),
      onResponseError: (_, error) => void events.push(`error ${error.message}`),
    },
    limits,
    deadlines,
    () => clock.now,
  )
  return { phased, controller, deadlines, clock, events }
}

describe('a phase', () => {
  it('begins anew with each piece, without a timer for it', () => {
    const { phased, controller, deadlines, clock, events } = call({ firstByte: 100, idle: 100 })
    phased.onRequestStart(controller)
    clock.now = 90
    phased.onResponseStart(controller, 200, {})
    expect(deadlines.due.map(({ milliseconds }) => milliseconds)).toEqual([100])
    for (clock.now = 150; clock.now < 1000; clock.now += 50) phased.onResponseData(controller, Buffer.of(1))
    deadlines.pass()
    expect(deadlines.due.map(({ milliseconds }) => milliseconds)).toEqual([50])
    clock.now = 1050
    deadlines.pass()
    expect(events.at(-2)).toMatch(/^error nothing more of the answer came for 100 ms/)
    expect(events.at(-1)).toBe('abort PhaseTimeoutError')
  })

  it('does not count the time in which nobody reads', () => {
    const { phased, controller, deadlines, clock, events } = call({ firstByte: null, idle: 100 })
    phased.onRequestStart(controller)
    phased.onResponseStart(controller, 200, {})
    phased.pause()
    clock.now = 10_000
    deadlines.pass()
    phased.resume()
    clock.now = 10_099
    deadlines.pass()
    phased.onResponseEnd(controller, {})
    expect(events).toEqual(['start', 'head', 'end'])
    expect(deadlines.due).toEqual([])
  })

  it('tells nothing more once it was too long', () => {
    const { phased, controller, deadlines, clock, events } = call({ firstByte: 100, idle: null })
    phased.onRequestStart(controller)
    clock.now = 100
    deadlines.pass()
    const told = events.length
    phased.onResponseStart(controller, 200, {})
    phased.onResponseData(controller, Buffer.of(1))
    phased.onResponseEnd(controller, {})
    phased.onResponseError(controller, new Error('aborted'))
    expect(events).toHaveLength(told)
  })

  it('that has no limit never ends a call', () => {
    const { phased, controller, deadlines } = call({ firstByte: 100, idle: null })
    phased.onRequestStart(controller)
    phased.onResponseStart(controller, 200, {})
    expect(deadlines.due).toEqual([])
  })
})
