/** The rules that are shipped, with times that a test can wait for; scrapes are as much closer together. */
import { shippedRules } from './prometheus.ts'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** What Prometheus counts with as a duration: `for: 5m`, `[5m]`, `offset 2m`. Numbers beside them stay. */
const DURATION = /(for: |\[|offset )(\d+)([smhd])\b/g
const LONG = 1800

export function shortenedRules(): string {
  return shippedRules().replaceAll(DURATION, (_, before: string, count: string, unit: string) => {
    const seconds = Number(count) * (SECONDS[unit] ?? 1)
    const shorter = Math.ceil(seconds / (seconds >= LONG ? 10 : 30))
    return `${before}${before === 'for: ' ? Math.min(shorter, 10) : shorter}s`
  })
}
