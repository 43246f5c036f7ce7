/** The quantiles of latency that a guard may name, with the share of requests that are slower. */
export const QUANTILES = { p50: 0.5, p90: 0.1, p95: 0.05, p99: 0.01 } as const
export type Quantile = keyof typeof QUANTILES
export const QUANTILE_NAMES: readonly Quantile[] = ['p50', 'p90', 'p95', 'p99']
