/**
 * Durations and sizes as people write them in settings: `500ms`, `30s`, `10m`; `512KiB`, `5MiB`, `1048576`.
 */
import { z } from 'zod'

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const BYTES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['B', 1],
  ['KiB', 1024],
  ['MiB', 1024 * 1024],
  ['GiB', 1024 * 1024 * 1024],
])

/** The form of durations, as JSON schemas describe it. */
export const DURATION_PATTERN = '^\\d+(ms|s|m|h)$'
/** The form of sizes that are no plain numbers. */
export const SIZE_PATTERN = '^\\d+(B|KiB|MiB|GiB)?$'

/** Milliseconds. */
export function duration(fallback: string): z.ZodType<number> {
  return requiredDuration().prefault(fallback)
}

export function requiredDuration(): z.ZodType<number, string> {
  const text = z.string('expected a duration such as 500ms, 30s or 10m')
  const read = text.transform((text, context) => {
    const [, count = '', unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? []
    const factor = MILLISECONDS.get(unit)
    const milliseconds = factor === undefined ? Number.NaN : Number(count) * factor
    // Timers take at most 2^31 - 1 ms and fire at once above it.
    if (milliseconds <= 2_147_483_647) return milliseconds
    context.addIssue({ code: 'custom', message: 'expected a duration such as 500ms, 30s or 10m' })
    return z.NEVER
  })
  return read.meta({ pattern: DURATION_PATTERN })
}

/** Writes a duration as settings have it, in the largest unit of which it is a whole number. */
export function durationText(milliseconds: number): string {
  return inLargestUnit(milliseconds, MILLISECONDS)
}

/** Writes a size as settings have it, in the largest unit of which it is a whole number. */
export function sizeText(bytes: number): string {
  return inLargestUnit(bytes, BYTES)
}

function inLargestUnit(value: number, factors: ReadonlyMap<string, number>): string {
  let text = ''
  for (const [unit, factor] of factors)
    if (text === '' || (value > 0 && value % factor === 0)) text = `${value / factor}${unit}`
  return text
}

/** Bytes. `least`: as it is written in settings. */
export function size(fallback: string, least = '0'): z.ZodType<number> {
  return requiredSize(least).prefault(fallback)
}

/** A size in bytes. Undefined if it is left to the router to work it out. */
export function optionalSize(least: string): z.ZodType<number | undefined> {
  return requiredSize(least).optional()
}

function requiredSize(least: string): z.ZodType<number, string | number> {
  const written = z.union([z.string(), z.int().min(0)], NO_SIZE)
  const read = written.transform((value, context) => {
    const bytes = bytesOf(String(value))
    if (bytes >= bytesOf(least)) return bytes
    context.addIssue({
      code: 'custom',
      message: Number.isNaN(bytes) ? NO_SIZE : `expected at least ${least}`,
    })
    return z.NEVER
  })
  return read.meta({ pattern: SIZE_PATTERN })
}

const NO_SIZE = 'expected a size such as 512KiB, 5MiB or a number of bytes'

/** NaN: it is no size, or none that can be counted. */
function bytesOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)(B|KiB|MiB|GiB)?$/.exec(text) ?? []
  const factor = BYTES.get(unit)
  const bytes = count === '' || factor === undefined ? Number.NaN : Number(count) * factor
  return Number.isSafeInteger(bytes) ? bytes : Number.NaN
}
