/** How a process does, as heartbeats tell it: its memory, and how busy and how late its event loop was. */
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { ProcessLoad } from '@switchyard/contracts'

/** Milliseconds between two looks at the event loop. */
const RESOLUTION_MS = 20
/** Milliseconds that are measured at least: heartbeats may also follow each other at once. */
const LEAST_WINDOW_MS = 4000
const NANOSECONDS_PER_MS = 1e6

type EventLoop = Pick<ProcessLoad, 'eventLoopUtilization' | 'eventLoopDelayMs'>

/** Measures until it is disposed. */
export class LoadMeter implements Disposable {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #since = performance.now()
  #before: EventLoopUtilization = performance.eventLoopUtilization()
  #loop: EventLoop | null = null

  constructor() {
    this.#delays.enable()
  }

  /** Returns the memory of now, and the event loop of the last seconds. */
  read(): ProcessLoad {
    const { rss, heapUsed } = process.memoryUsage()
    return {
      startedAt: Math.round(performance.timeOrigin),
      residentBytes: rss,
      heapBytes: heapUsed,
      ...this.#eventLoop(),
    }
  }

  [Symbol.dispose](): void {
    this.#delays.disable()
  }

  #eventLoop(): EventLoop {
    const now = performance.now()
    if (this.#loop !== null && now - this.#since < LEAST_WINDOW_MS) return this.#loop
    const utilization = performance.eventLoopUtilization()
    const share = performance.eventLoopUtilization(utilization, this.#before).utilization
    // The time between two looks is measured: a loop that is never late shows the resolution.
    const late =
      this.#delays.count === 0 ? 0 : this.#delays.percentile(99) / NANOSECONDS_PER_MS - RESOLUTION_MS
    this.#loop = {
      eventLoopUtilization: Math.min(1, Math.max(0, share)),
      eventLoopDelayMs: Math.max(0, Math.round(late * 10) / 10),
    }
    this.#since = now
    this.#before = utilization
    this.#delays.reset()
    return this.#loop
  }
}

/**
 * Returns the load of several processes that are one service together: sums, and the worst event loop. The
 * first one is the one that speaks for all, whose start counts.
 */
export function joinLoads(first: ProcessLoad, others: readonly ProcessLoad[]): ProcessLoad {
  const all = [first, ...others]
  const sum = (of: (load: ProcessLoad) => number) => all.reduce((total, load) => total + of(load), 0)
  const worst = (of: (load: ProcessLoad) => number) => Math.max(...all.map(of))
  return {
    startedAt: first.startedAt,
    residentBytes: sum(({ residentBytes }) => residentBytes),
    heapBytes: sum(({ heapBytes }) => heapBytes),
    eventLoopUtilization: worst(({ eventLoopUtilization }) => eventLoopUtilization),
    eventLoopDelayMs: worst(({ eventLoopDelayMs }) => eventLoopDelayMs),
    active: sum(({ active = 0 }) => active),
    requests: sum(({ requests = 0 }) => requests),
    errors: sum(({ errors = 0 }) => errors),
  }
}
