/** The choices of pages about usage, as their addresses have them. Usage is kept by the hour. */
const HOUR_MS = 60 * 60_000

/** Windows that can be chosen, in hours. */
export const WINDOWS = [
  { hours: 24, text: '24 hours' },
  { hours: 7 * 24, text: '7 days' },
  { hours: 30 * 24, text: '30 days' },
  { hours: 90 * 24, text: '90 days' },
] as const
export const DEFAULT_HOURS = 7 * 24

/** The things of which there can be a line each. */
export const BY = ['operation', 'client', 'flag', 'hour'] as const
export type By = (typeof BY)[number]

/** Returns the window of an address, in hours. */
export function hoursIn(value: unknown): number | undefined {
  return WINDOWS.find(({ hours }) => hours === Number(value))?.hours
}

/** Returns the beginning of a window, which stays the same for an hour. */
export function beginningOf(hours: number, now = Date.now()): number {
  return Math.floor(now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS
}

/** Returns a window as commands take it. */
export function sinceOf(hours: number): string {
  return hours === 24 ? '24h' : `${hours / 24}d`
}
