import { ProcessLoad } from '@switchyard/contracts'
import { expect, it } from 'vitest'
import { LoadMeter } from '../src/process/process-load.ts'

it('tells memory and the event loop, in the shape of heartbeats, and measures no shorter than four seconds', () => {
  using meter = new LoadMeter()
  const first = ProcessLoad.parse(meter.read())
  expect(first.residentBytes).toBeGreaterThan(first.heapBytes)
  expect(first.heapBytes).toBeGreaterThan(1_000_000)
  expect(Math.abs(first.startedAt - performance.timeOrigin)).toBeLessThan(1)
  const { eventLoopUtilization, eventLoopDelayMs } = meter.read()
  expect({ eventLoopUtilization, eventLoopDelayMs }).toEqual({
    eventLoopUtilization: first.eventLoopUtilization,
    eventLoopDelayMs: first.eventLoopDelayMs,
  })
})
