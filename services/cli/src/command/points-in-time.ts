/** Points in time on the command line: a duration before or after now, or a date. */
import { z } from 'zod'
import { UsageError } from '../run/errors.ts'
import type { ValueType } from './value-types.ts'

const MS_OF_UNIT = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

const Rfc3339 = z.iso.datetime({ offset: true })

/** A point in time, as Unix milliseconds; a duration is one before now. `option` is for the message. */
export function pointInTime(option: string): ValueType<number> {
  return { parse: (word) => timeOf(option, word, (duration) => Date.now() - duration) }
}

/** A point in time to come, in RFC 3339; a duration is one after now. `option` is for the message. */
export function futureTime(option: string): ValueType<string> {
  return {
    parse: (word) => {
      const now = Date.now()
      const time = timeOf(option, word, (duration) => now + duration)
      if (time > now) return new Date(time).toISOString()
      throw new UsageError(`${option} takes a time to come; "${word}" is over.`)
    },
  }
}

/** Returns the milliseconds of a duration such as 90s, 15m, 2h, 3d or 1w; null if the word is none. */
export function durationOf(word: string): number | null {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhdw])$/.exec(word) ?? []
  const unitMs = MS_OF_UNIT.get(unit)
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}

function timeOf(option: string, word: string, after: (durationMs: number) => number): number {
  const duration = durationOf(word)
  if (duration !== null) return after(duration)
  if (Rfc3339.safeParse(word).success) return Date.parse(word)
  throw new UsageError(
    `${option} takes a duration such as 90s, 15m, 2h, 3d or 1w, or a time such as 2026-03-02T09:00:00Z, not "${word}".`,
  )
}
