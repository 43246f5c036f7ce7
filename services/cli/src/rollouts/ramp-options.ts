/** Options of ramps. */
import { RampPlan } from '@switchyard/contracts'
import {
  type EmergencyStop,
  type Guards,
  InvalidGuardError,
  parseEmergencyStop,
  parseGuards,
} from '@switchyard/guards'
import { durationOf } from '../command/points-in-time.ts'
import type { ValueType } from '../command/value-types.ts'
import { UsageError } from '../run/errors.ts'

/** The percentages of a ramp, with commas between them. */
export const steps: ValueType<readonly number[]> = {
  parse: (word) => {
    const numbers = word
      .split(',')
      .map((part) => (/^\d{1,3}(?:\.\d+)?$/.test(part) ? Number(part) : Number.NaN))
    const parsed = RampPlan.shape.steps.safeParse(numbers)
    if (parsed.success) return parsed.data
    throw new UsageError(
      `--steps takes percentages above 0 in ascending order, with at most two decimals, such as 1,5,25,50,95,100, not "${word}".`,
    )
  },
}

/** The length of a step, in milliseconds. */
export const stepLength: ValueType<number> = {
  parse: (word) => {
    const parsed = RampPlan.shape.everyMs.safeParse(durationOf(word))
    if (parsed.success) return parsed.data
    throw new UsageError(`--every takes a duration from 1s to 30d, such as 30m or 1d, not "${word}".`)
  },
}

export const guards: ValueType<Guards> = { parse: (word) => guarded('--guard', () => parseGuards(word)) }

export const emergencyStop: ValueType<EmergencyStop> = {
  parse: (word) => guarded('--stop', () => parseEmergencyStop(word)),
}

function guarded<Value>(option: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidGuardError) throw new UsageError(`${option}: ${error.message}.`)
    throw error
  }
}
