/**
 * The environment as typed values. One error names every wrong variable with what was given and what was
 * expected, so that an operator repairs all of them in one go. A variable that is set to nothing counts as
 * unset.
 */
import { z } from 'zod'
import { listProblems } from '../text/list-problems.ts'
import { LOG_LEVELS } from '../logging/logger.ts'
import type { StartErrorCode } from '../text/start-errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export class EnvironmentError extends Error {
  readonly code = 'ENVIRONMENT_INVALID' satisfies StartErrorCode
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(listProblems('The environment is not usable, so nothing was started.', problems))
    this.name = 'EnvironmentError'
    this.problems = problems
  }
}

export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const given: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name]
    if (value !== undefined && value !== '') given[name] = value
  }
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new EnvironmentError(
    result.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? 'the environment')
      const value = given[name]
      return value === undefined
        ? `${name} is not set: ${expectation(issue)}`
        : `${name} is ${shown(name, value)}: ${expectation(issue)}`
    }),
  )
}

/** `true`, `false`, `1` or `0`; anything else is an error. */
export function booleanVariable(fallback: boolean): z.ZodType<boolean, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return fallback
      if (text === 'true' || text === '1') return true
      if (text === 'false' || text === '0') return false
      context.addIssue({ code: 'custom', message: 'expected true, false, 1 or 0' })
      return z.NEVER
    })
}

export function integerVariable(
  fallback: number,
  range: { readonly min: number; readonly max: number },
): z.ZodType<number, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return fallback
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      if (value >= range.min && value <= range.max) return value
      context.addIssue({
        code: 'custom',
        message: `expected a whole number from ${range.min} to ${range.max}`,
      })
      return z.NEVER
    })
}

/** 0 lets the system choose a free port. */
export function portVariable(fallback: number): z.ZodType<number, string | undefined> {
  return integerVariable(fallback, { min: 0, max: 65_535 })
}

export const LogLevelVariable = z
  .enum(LOG_LEVELS, { error: () => `expected one of ${LOG_LEVELS.join(', ')}` })
  .default('info')

function expectation(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')
    ? `expected ${issue.expected}`
    : issue.message
}

function shown(name: string, value: string): string {
  if (/(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name)) return 'set to a value that is not shown here'
  if (!URL.canParse(value)) return JSON.stringify(value.slice(0, 200))
  const url = new URL(value)
  if (url.password !== '') url.password = 'hidden'
  return JSON.stringify(url.href.slice(0, 200))
}
