/**
 * What planning is measured with: the time that passes, and the time that the calling thread computes.
 * Milliseconds.
 */
export type PlanningClock = {
  now(): number
  cpu(): number
}

/** A busy machine does not make planning look more expensive: what is charged is time of the processor. */
export const SYSTEM_CLOCK: PlanningClock = {
  now: () => performance.now(),
  cpu() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}
