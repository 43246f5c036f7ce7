/**
 * Counts the requests that routers refuse, by their metrics, and how many of them one turn of the event loop
 * takes.
 */
import type { recordMetrics } from '@switchyard/testkit'
import { until } from './router.ts'

type Measured = ReturnType<typeof recordMetrics>['measured']

export class Refusals {
  readonly #measured: Measured

  /** `measured`: the measurements of the test file, which the test may empty before each test. */
  constructor(measured: Measured) {
    this.#measured = measured
  }

  get count(): number {
    return this.#measured.filter(({ name }) => name === 'switchyard.router.refusals').length
  }

  /**
   * Calls `begin` and waits until `count` more requests are refused. Resolves with the most that were refused
   * between two looks at the counter, of which there is one in each turn of the event loop.
   */
  async mostInOneTurn(count: number, begin: () => void): Promise<number> {
    const end = this.count + count
    let most = 0
    let before = this.count
    let isOver = false
    const look = (): void => {
      const now = this.count
      most = Math.max(most, now - before)
      before = now
      if (!isOver) setImmediate(look)
    }
    look()
    try {
      begin()
      await until(() => this.count >= end, `${count} requests are refused`)
    } finally {
      isOver = true
    }
    return most
  }
}
