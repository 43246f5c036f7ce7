/** Conditions of audiences, compiled so that a request is compared with them in bounded time. */
import type { RolloutCondition, RolloutTest } from '@switchyard/contracts'
import { networksOf } from './address-bits.ts'
import type { PropertyValue, RequestValues } from './read-values.ts'
import { versionRangeOf } from './version.ts'

/** Characters of the longest value that a condition may name. Longer values of requests equal none. */
const LONGEST_VALUE = 200

/** A condition that requests are compared with. */
export type CompiledCondition = {
  /** The condition as the rollout has it. */
  readonly condition: RolloutCondition
  /** The place of the property that it looks at. */
  readonly place: number
  /** Whether the condition is fulfilled by a value of the property. */
  readonly holds: (value: PropertyValue, values: RequestValues) => boolean
  /** The reason why it holds for nobody, as its author should know it; null if all of it was understood. */
  readonly problem: string | null
}

/** A test of one value. */
type TestOfValue = (value: string, values: RequestValues) => boolean

/** A condition that cannot be understood. */
type Problem = { readonly problem: string }

/**
 * Compiles a condition. One that cannot be understood holds for nobody, and neither does its opposite: a
 * mistake in a rollout must not give a flag to those whom it was to spare.
 */
export function compileCondition(condition: RolloutCondition, place: number): CompiledCondition {
  const { on, not } = condition
  const test = not ?? condition
  const isNegated = not !== undefined
  if (test.exists === true) {
    return { condition, place, holds: (value) => (value !== null) !== isNegated, problem: null }
  }
  const compiled = on === 'address' ? testOfAddress(test) : testOfText(test)
  if (typeof compiled === 'object') return { condition, place, holds: () => false, problem: compiled.problem }
  const holds: CompiledCondition['holds'] = (value, values) => {
    if (value === null) return isNegated
    const isFulfilled =
      typeof value === 'string' ? compiled(value, values) : value.some((one) => compiled(one, values))
    return isFulfilled !== isNegated
  }
  return { condition, place, holds, problem: null }
}

/** Returns the reason why a condition would hold for nobody; null if all of it is understood. */
export function conditionProblem(condition: RolloutCondition): string | null {
  return compileCondition(condition, 0).problem
}

function testOfAddress(test: RolloutTest): TestOfValue | Problem {
  const named = test.in ?? (test.equals === undefined ? null : [test.equals])
  if (named === null) return testOfText(test)
  const networks = networksOf(named)
  if (networks === null) {
    const wrong = named.find((text) => networksOf([text]) === null) ?? ''
    return { problem: `"${wrong}" is neither an address nor a network` }
  }
  return (value, values) => {
    const address = values.addressOf(value)
    return address !== null && networks.has(address)
  }
}

function testOfText(test: RolloutTest): TestOfValue | Problem {
  const { equals, starts_with: start, ends_with: end } = test
  if (equals !== undefined) return (value) => value === equals
  if (test.in !== undefined) {
    const named = new Set(test.in)
    return (value) => value.length <= LONGEST_VALUE && named.has(value)
  }
  if (start !== undefined) return (value) => value.startsWith(start)
  if (end !== undefined) return (value) => value.endsWith(end)
  return testOfVersion(test.semver ?? '')
}

function testOfVersion(text: string): TestOfValue | Problem {
  const range = versionRangeOf(text)
  if (range === null) return { problem: `"${text}" is no range of versions` }
  return (value, values) => {
    const version = values.versionOf(value)
    return version !== null && range.has(version)
  }
}
