import { useSyncExternalStore } from 'react'

const MINUTE = 60_000
const STEPS: readonly (readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  [60 * MINUTE, 'minute', MINUTE],
  [24 * 60 * MINUTE, 'hour', 60 * MINUTE],
  [30 * 24 * 60 * MINUTE, 'day', 24 * 60 * MINUTE],
]
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment as people say it, with the exact one at hand. */
export function Moment({ at }: { readonly at: string | number }) {
  useMinutes()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>at an unknown time</>
  return (
    <time dateTime={date.toISOString()} title={EXACT.format(date)}>
      {ago(date.getTime(), Date.now())}
    </time>
  )
}

/** Says how long ago a moment was. */
export function ago(at: number, now: number): string {
  const passed = now - at
  if (Math.abs(passed) < MINUTE) return 'just now'
  for (const [limit, unit, ms] of STEPS) {
    if (Math.abs(passed) < limit) return RELATIVE.format(-Math.round(passed / ms), unit)
  }
  return `on ${DAY.format(at)}`
}

/** Renders again twice a minute, so that what is said of moments stays true. */
function useMinutes(): void {
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / (MINUTE / 2)))
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE / 2)
  return () => clearInterval(timer)
}
