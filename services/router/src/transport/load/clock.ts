/** Nanoseconds since some moment; never goes back. */
export type Clock = () => number

/** Nanoseconds since the process began. */
export const monotonicClock: Clock = () => Math.round(performance.now() * 1e6)
