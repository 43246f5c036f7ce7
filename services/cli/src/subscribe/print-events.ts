/** Prints events of a subscription: for people with the time of each, or for programs as lines of JSON. */
import { printableJson, printableLine } from '@switchyard/service-kit/printable'
import { isRecord } from '@switchyard/values'
import { styleFor } from '../output/style.ts'
import type { CliContext } from '../run/context.ts'
import { SubscriptionFailed } from '../run/errors.ts'
import { MOST_ERRORS, sentenceOf } from './faults.ts'
import type { EventResult } from './subscription.ts'

const INDENT = '  '

/** Returns a line that holds the result as it came. */
export function eventLine(result: EventResult): string {
  return `${jsonOf(result)}\n`
}

/**
 * Returns the lines that people read: the time, the data, and what is wrong with them. On a terminal, data
 * that are longer than a line are printed over several.
 */
export function printEvent(
  result: EventResult,
  at: Date,
  { stdout, env }: Pick<CliContext, 'stdout' | 'env'>,
): string {
  const style = styleFor(stdout, env)
  const time = timeOf(at)
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  const { data, errors, extensions } = result
  const { missed, ...others } = isRecord(extensions) ? extensions : {}
  const flat = jsonOf(data === undefined ? null : data)
  const isFlat = time.length + INDENT.length + flat.length <= width
  const remarks = [
    ...(Array.isArray(errors) ? errorLines(errors).map(style.red) : []),
    ...(Object.keys(others).length === 0 ? [] : [`extensions: ${jsonOf(others)}`]),
  ]
  const missing = missed === undefined ? [] : [style.yellow(missedSentence(missed))]
  const indent = isFlat ? ' '.repeat(time.length + INDENT.length) : INDENT
  const lines = [
    ...missing.map((line) => `${style.dim(time)}${INDENT}${line}`),
    isFlat
      ? `${style.dim(time)}${INDENT}${flat}`
      : `${style.dim(time)}\n${jsonOf(data, INDENT).replaceAll(/^/gm, INDENT)}`,
    ...remarks.map((line) => `${indent}${line}`),
  ]
  return `${lines.join('\n')}\n`
}

/** The time of day at this machine, to the millisecond. */
function timeOf(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const seconds = `${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`
  return `${two(at.getHours())}:${two(at.getMinutes())}:${seconds}`
}

function missedSentence(missed: unknown): string {
  if (typeof missed === 'number')
    return missed === 1
      ? '1 event before this one was dropped: they came faster than they were read.'
      : `${missed} events before this one were dropped: they came faster than they were read.`
  return 'Events before this one may be missing: their source was lost for a while.'
}

function errorLines(errors: readonly unknown[]): readonly string[] {
  const lines = errors.slice(0, MOST_ERRORS).map((error) => {
    const path =
      isRecord(error) && Array.isArray(error['path']) ? `${error['path'].map(String).join('.')}: ` : ''
    return printableLine(`error: ${path}${sentenceOf(error)}`)
  })
  const more = errors.length - lines.length
  return more > 0 ? [...lines, `${more} more errors; --json shows all.`] : lines
}

/** Throws SubscriptionFailed if the value is nested so deeply that it cannot be written. */
function jsonOf(value: unknown, indent = ''): string {
  try {
    return printableJson(JSON.stringify(value, null, indent))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SubscriptionFailed('The server sent an event that is nested too deeply to be printed.')
  }
}
