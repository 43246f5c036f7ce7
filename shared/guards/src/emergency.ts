/**
 * The emergency stop: errors inside the percentage over the last ten seconds, against a plain limit. Routers
 * judge it on their own requests, and the controller on the sums of all of them.
 */
import { CLUSTERS } from './clusters.ts'
import type { EmergencyStop } from './guards.ts'

/** Seconds that are looked at. */
export const EMERGENCY_SECONDS = 10
/** Fewer requests in these seconds stop nothing: one failed request of two is no emergency. */
export const EMERGENCY_REQUESTS = 50
/** Errors of fewer clusters of keys stop nothing: a single client that fails alone is no emergency. */
export const EMERGENCY_CLUSTERS = 4

/** Requests and errors of some seconds. */
export type WindowTotals = {
  readonly requests: number
  readonly errors: number
  /** Clusters of keys that have errors. */
  readonly failedClusters: number
}

/** Whether the errors of ten seconds exceed the limit. */
export function isEmergency({ errors: limit }: EmergencyStop, totals: WindowTotals): boolean {
  return (
    totals.requests >= EMERGENCY_REQUESTS &&
    totals.failedClusters >= EMERGENCY_CLUSTERS &&
    totals.errors * 100 > limit.percent * totals.requests
  )
}

/**
 * The last ten seconds, in slots of one. Seconds are those of any clock that does not go back; what comes for
 * a second that has left the window is not counted.
 */
export class ErrorWindow {
  readonly #slots = Array.from({ length: EMERGENCY_SECONDS }, () => new Slot())

  /** Counts a request that was answered in this second. */
  count(second: number, cluster: number, isError: boolean): void {
    const slot = this.#slotOf(second)
    if (slot === null) return
    slot.requests += 1
    if (!isError) return
    slot.errors += 1
    slot.failed[cluster & (CLUSTERS - 1)] = 1
  }

  /**
   * Counts what routers told in this second, as the controller does: requests and errors by cluster since
   * their figures before.
   */
  add(second: number, requests: readonly number[], errors: readonly number[]): void {
    const slot = this.#slotOf(second)
    if (slot === null) return
    for (let cluster = 0; cluster < CLUSTERS; cluster += 1) {
      slot.requests += grown(requests[cluster])
      slot.errors += grown(errors[cluster])
      if (grown(errors[cluster]) > 0) slot.failed[cluster] = 1
    }
  }

  /** Returns the totals of the ten seconds that end with this one. */
  totals(second: number): WindowTotals {
    const slots = this.#slots.filter(
      (slot) => slot.second > second - EMERGENCY_SECONDS && slot.second <= second,
    )
    let failedClusters = 0
    for (let cluster = 0; cluster < CLUSTERS; cluster += 1)
      if (slots.some(({ failed }) => failed[cluster] === 1)) failedClusters += 1
    const sum = (of: (slot: Slot) => number): number => slots.reduce((total, slot) => total + of(slot), 0)
    return { requests: sum(({ requests }) => requests), errors: sum(({ errors }) => errors), failedClusters }
  }

  /** Returns the slot of a second; null if a later second has it already, or if it is no second. */
  #slotOf(second: number): Slot | null {
    const whole = Math.floor(second)
    const slot = this.#slots[((whole % EMERGENCY_SECONDS) + EMERGENCY_SECONDS) % EMERGENCY_SECONDS]
    if (slot === undefined || whole < slot.second) return null
    if (whole > slot.second) slot.begin(whole)
    return slot
  }
}

/** Totals may have fallen where a router said less than before. */
function grown(difference: number | undefined): number {
  return difference !== undefined && difference > 0 ? difference : 0
}

class Slot {
  second = Number.NEGATIVE_INFINITY
  requests = 0
  errors = 0
  readonly failed = new Uint8Array(CLUSTERS)

  begin(second: number): void {
    this.second = second
    this.requests = 0
    this.errors = 0
    this.failed.fill(0)
  }
}
