/** The limit of calls a second to one subgraph; the tests move the clock. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallSlot, CallSlots, type SlotLimits } from '../../../../src/call/policies/slots/call-slots.ts'

const NOBODY = { waited() {}, refused() {} }

function slotsWith(limits: Partial<SlotLimits>) {
  const told = { waited: 0, refused: 0 }
  const watcher = { waited: () => void told.waited++, refused: () => void told.refused++ }
  const slots = new CallSlots({ maxCalls: Infinity, maxWaiting: 1000, maxRate: 10, ...limits }, watcher)
  const begun: string[] = []
  const refused: string[] = []
  const enter = (name: string, address = 'a'): CallSlot => {
    const slot = slots.slotFor(() => ({ address, name: '' }))
    slot.enter(
      () => begun.push(name),
      () => {
        refused.push(name)
        slot.leave()
      },
    )
    return slot
  }
  return { slots, told, begun, refused, enter }
}

describe('calls of a subgraph with max_rate', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('begin one after the other at that rate, whether those before have ended or not', () => {
    const { begun, enter, told } = slotsWith({ maxRate: 10 })
    const calls = Array.from({ length: 21 }, (_, index) => enter(`${index}`))
    expect(begun).toEqual(['0'])
    vi.advanceTimersByTime(1000)
    expect(begun).toHaveLength(11)
    for (const call of calls.slice(0, 11)) call.leave()
    expect(begun).toHaveLength(11)
    vi.advanceTimersByTime(1000)
    expect([begun.length, told.waited]).toEqual([21, 20])
  })

  it('begin at once after a pause, as many as come in a tenth of a second', () => {
    const { begun, enter } = slotsWith({ maxRate: 100 })
    for (let count = 0; count < 30; count++) enter('first')
    vi.advanceTimersByTime(60_000)
    expect(begun).toHaveLength(30)
    for (let count = 0; count < 30; count++) enter('second')
    expect(begun).toHaveLength(40)
  })

  it('are at most 1.1 times the rate in any second, and none is lost, however they come and go', () => {
    const step = fc.record({ calls: fc.nat({ max: 20 }), leave: fc.boolean(), pause: fc.nat({ max: 400 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(5, 50), (steps, maxRate) => {
        const times: number[] = []
        const slots = new CallSlots({ maxCalls: 40, maxWaiting: 10_000, maxRate }, NOBODY)
        const inProgress: CallSlot[] = []
        let came = 0
        for (const { calls, leave, pause } of steps) {
          for (let count = 0; count < calls; count++) {
            came++
            const slot = slots.slotFor(() => ({ address: `${count % 3}`, name: '' }))
            slot.enter(
              () => {
                times.push(performance.now())
                inProgress.push(slot)
              },
              () => expect.unreachable('the line is long enough'),
            )
          }
          if (leave) for (const slot of inProgress.splice(0)) slot.leave()
          vi.advanceTimersByTime(pause)
        }
        for (let rounds = 0; times.length < came && rounds < 1000; rounds++) {
          for (const slot of inProgress.splice(0)) slot.leave()
          vi.advanceTimersByTime(1000)
        }
        expect(times).toHaveLength(came)
        for (const [first, began] of times.entries()) {
          const last = times.findLastIndex((time) => time < began + 1000)
          expect(last - first + 1).toBeLessThanOrEqual(Math.max(maxRate + 1, maxRate * 1.1))
        }
      }),
      new RandomRun(import.meta.url, 50).parameters,
    )
  })

  it('wait longer after a retry, which counts and does not wait itself', () => {
    const { begun, enter } = slotsWith({ maxRate: 10 })
    const first = enter('first')
    first.retried()
    enter('second')
    vi.advanceTimersByTime(199)
    expect(begun).toEqual(['first'])
    vi.advanceTimersByTime(2)
    expect(begun).toEqual(['first', 'second'])
  })

  it('leave no hedged attempt the rate that others wait for', () => {
    const { slots, enter } = slotsWith({ maxRate: 10 })
    const lookUpClient = () => ({ address: 'a', name: '' })
    enter('first')
    expect(slots.takeFree(lookUpClient)).toBeNull()
    vi.advanceTimersByTime(100)
    expect(slots.takeFree(lookUpClient)).not.toBeNull()
    enter('second')
    vi.advanceTimersByTime(99)
    expect(slots.takeFree(lookUpClient)).toBeNull()
  })

  it('are taken in turns by clients, and refused beyond the length of the line', () => {
    const { begun, refused, enter } = slotsWith({ maxRate: 10, maxWaiting: 3 })
    for (const name of ['a0', 'a1', 'a2']) enter(name)
    enter('b0', 'b')
    enter('a3')
    expect(refused).toEqual(['a1'])
    vi.advanceTimersByTime(200)
    expect(begun).toEqual(['a0', 'a2', 'b0'])
  })

  it('wait for a slot, too, if both are limited, and one that leaves the line takes nothing', () => {
    const { begun, enter } = slotsWith({ maxRate: 10, maxCalls: 1 })
    const first = enter('first')
    const second = enter('second')
    enter('third')
    vi.advanceTimersByTime(1000)
    expect(begun).toEqual(['first'])
    second.leave()
    first.leave()
    expect(begun).toEqual(['first', 'third'])
  })
})
