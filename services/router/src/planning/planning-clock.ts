/**
 * The clocks that measure planning, in milliseconds: the time that passes, and the time that the calling
 * thread computes.
 */
export type PlanningClock = {
  now(): number
  cpu(): number
}

/** Charges processor time, so that planning does not look more expensive on a busy machine. */
export const SYSTEM_CLOCK: PlanningClock = {
  now: () => performance.now(),
  cpu() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}
