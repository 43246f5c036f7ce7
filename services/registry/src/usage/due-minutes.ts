/** Counts the minutes of an hour that a router told, and those that it had to tell. */
import type { ProcessData } from './block-data.ts'

/**
 * A minute is due if the router was heard in it after it had begun to count, if it told that minute, or if it
 * told an earlier and a later one. Minutes from `horizon` on are not due yet.
 */
export function dueMinutes(
  { since, told, alive }: Pick<ProcessData, 'since' | 'told' | 'alive'>,
  horizon: number,
  start: number,
): { readonly told: number; readonly due: number } {
  const isOver = (place: number): boolean => start + place < horizon
  const inTime = told.filter(isOver)
  const due = new Set(inTime)
  for (const place of alive) if (isOver(place) && (since === null || start + place >= since)) due.add(place)
  if (since !== null && inTime.length > 0) {
    const last = Math.max(...inTime)
    for (let place = Math.max(0, since - start); place < last; place += 1) due.add(place)
  }
  return { told: inTime.length, due: due.size }
}
