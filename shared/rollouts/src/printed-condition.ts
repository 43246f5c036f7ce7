/** Prints conditions of audiences. Pages link this module, so it brings no schemas with it. */
import type { RolloutCondition } from '@switchyard/contracts'
import { ROLLOUT_TESTS } from '@switchyard/contracts/rollout-tests'

/** A source ends at the first space that is not between quotation marks, as a claim in JSON may have them. */
export const SOURCE = /^(?:[^\s"]|"(?:[^"\\]|\\.)*")+/s

/** Returns the text form of a condition. `readRolloutCondition` reads the same condition from it. */
export function printRolloutCondition(condition: RolloutCondition): string {
  const { isNegated, name, operand } = testOf(condition)
  const words = [printSource(condition.on), ...(isNegated ? ['not'] : []), name, printValues(operand)]
  return words.filter((word) => word !== '').join(' ')
}

/** Returns the name of the test that a condition or its opposite makes, and what it compares with. */
export function testOf(condition: RolloutCondition): {
  readonly isNegated: boolean
  readonly name: (typeof ROLLOUT_TESTS)[number]
  readonly operand: string | readonly string[] | true
} {
  const test = condition.not ?? condition
  const name = ROLLOUT_TESTS.find((one) => test[one] !== undefined) ?? 'exists'
  return { isNegated: condition.not !== undefined, name, operand: test[name] ?? true }
}

function printSource(on: string): string {
  return SOURCE.exec(on)?.[0] === on ? on : JSON.stringify(on)
}

function printValues(values: string | readonly string[] | true): string {
  if (values === true) return ''
  return typeof values === 'string' ? printValue(values) : values.map(printValue).join(',')
}

function printValue(value: string): string {
  const isBare = value.trim() === value && !/^"|[,\p{Cc}\p{Cs}]/u.test(value)
  return isBare ? value : JSON.stringify(value)
}
