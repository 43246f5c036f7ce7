/**
 * Reads guards as people write them: `errors=+1pt,p99=1.3x,requests=500`, and `errors=20%` for the
 * emergency stop.
 */
import type { z } from 'zod'
import { EmergencyStop, Guards } from './guards.ts'
import { QUANTILE_NAMES } from './quantiles.ts'

const FORMS = 'errors=+1pt, errors=1.5x, p99=1.3x (also p50, p90 and p95) or requests=500'

/** A text that is no guard, or no emergency stop. The message quotes it and says what is expected. */
export class InvalidGuardError extends Error {
  override readonly name = 'InvalidGuardError'
}

/** Returns the guards of a text such as `errors=+1pt,p99=1.3x`. Throws `InvalidGuardError`. */
export function parseGuards(text: string): Guards {
  const guards = new Map<string, unknown>()
  for (const part of text.split(',').map((written) => written.trim())) {
    const [name, value] = memberOf(part)
    if (guards.has(name))
      throw new InvalidGuardError(`"${shown(text)}" has two guards of "${part.split('=')[0]}"`)
    guards.set(name, value)
  }
  return valid(Guards, Object.fromEntries(guards), text)
}

/** Returns the emergency stop of a text such as `errors=20%`. Throws `InvalidGuardError`. */
export function parseEmergencyStop(text: string): EmergencyStop {
  const percent = /^errors=(\d+(?:\.\d+)?)%$/.exec(text.trim())?.[1]
  if (percent === undefined)
    throw new InvalidGuardError(`"${shown(text)}" is no emergency stop. Expected errors=20%`)
  return valid(EmergencyStop, { errors: { percent: Number(percent) } }, text)
}

/** Returns the name of a member of `Guards`, and its value. */
function memberOf(part: string): readonly [string, unknown] {
  const requests = /^requests=(\d+)$/.exec(part)?.[1]
  if (requests !== undefined) return ['minimumRequests', Number(requests)]
  const points = /^errors=\+(\d+(?:\.\d+)?)pt$/.exec(part)?.[1]
  if (points !== undefined) return ['errors', { points: Number(points) }]
  const { name, ratio } = /^(?<name>errors|p\d+)=(?<ratio>\d+(?:\.\d+)?)x$/.exec(part)?.groups ?? {}
  if (name !== undefined && (name === 'errors' || QUANTILE_NAMES.some((known) => known === name)))
    return [name, { ratio: Number(ratio) }]
  throw new InvalidGuardError(`"${shown(part)}" is no guard. Expected ${FORMS}`)
}

function valid<Value>(schema: z.ZodType<Value>, value: unknown, text: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new InvalidGuardError(`"${shown(text)}" cannot be used: ${messageIn(parsed.error.issues)}`)
}

/** Returns the first message. Those of a union are one level below. */
function messageIn(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues
  if (issue?.code !== 'invalid_union') return issue?.message ?? `expected ${FORMS}`
  const branch = issue.errors.find((nested) => nested.every(({ code }) => code !== 'unrecognized_keys'))
  return messageIn(branch ?? [])
}

const MOST_SHOWN = 60

function shown(text: string): string {
  const short = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
  return short.replaceAll(/[^ -~…]/g, '?')
}
