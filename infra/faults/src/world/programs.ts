/** The kinds of set-ups, and the programs that run in each. */
export const WORLD_KINDS = ['plain', 'clocks', 'names', 'nats-cluster', 'sentinel'] as const
/**
 * The kinds of set-ups. In `clocks` the clock of each program can be set. In `names` servers have names. In
 * `nats-cluster` three servers hold all logs. In `sentinel` Redis has a replica, and sentinels that promote
 * it.
 */
export type WorldKind = (typeof WORLD_KINDS)[number]

export type Store = 'nats' | 'redis'

export const ROUTERS = ['router-0', 'router-1'] as const
export const COMPOSERS = ['composer-0', 'composer-1'] as const
export const REGISTRIES = ['registry-0', 'registry-1'] as const
export const PROGRAMS = [...REGISTRIES, ...COMPOSERS, 'config-distribution', ...ROUTERS] as const
export type ProgramName = (typeof PROGRAMS)[number]

export const READS_REDIS: readonly ProgramName[] = ['config-distribution', ...ROUTERS]
