/** Nanoseconds since some moment; never goes back. */
export type Clock = () => number

export const monotonicClock: Clock = () => Math.round(performance.now() * 1e6)
