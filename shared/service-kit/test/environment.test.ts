import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  booleanVariable,
  EnvironmentError,
  integerVariable,
  parseEnvironment,
  portVariable,
} from '../src/index.ts'

const schema = z.object({
  SWITCHYARD_PORT: portVariable(4100),
  SWITCHYARD_STRICT: booleanVariable(false),
  SWITCHYARD_RETRIES: integerVariable(3, { min: 0, max: 9 }),
  SWITCHYARD_GRAPH: z.string({ error: 'expected <namespace>/<graph>' }),
  SWITCHYARD_API_KEY: z.string().min(10, 'expected at least 10 characters').optional(),
})

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseEnvironment(schema, environment)
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems
  }
  throw new Error('the environment was accepted')
}

describe('the environment', () => {
  it('falls back for what is unset or set to nothing', () => {
    expect(parseEnvironment(schema, { SWITCHYARD_GRAPH: 'a/b', SWITCHYARD_PORT: '', OTHER: 'x' })).toEqual({
      SWITCHYARD_PORT: 4100,
      SWITCHYARD_STRICT: false,
      SWITCHYARD_RETRIES: 3,
      SWITCHYARD_GRAPH: 'a/b',
    })
  })

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('reads the boolean %s', (text, value) => {
    const parsed = parseEnvironment(schema, { SWITCHYARD_GRAPH: 'a/b', SWITCHYARD_STRICT: text })
    expect(parsed.SWITCHYARD_STRICT).toBe(value)
  })

  it('names every wrong variable, what was given and what was expected', () => {
    expect(
      problemsOf({ SWITCHYARD_PORT: '70000', SWITCHYARD_STRICT: 'yes', SWITCHYARD_RETRIES: '1e3' }),
    ).toEqual([
      'SWITCHYARD_PORT is "70000": expected a whole number from 0 to 65535',
      'SWITCHYARD_STRICT is "yes": expected true, false, 1 or 0',
      'SWITCHYARD_RETRIES is "1e3": expected a whole number from 0 to 9',
      'SWITCHYARD_GRAPH is not set: expected <namespace>/<graph>',
    ])
  })

  it('never prints the value of a secret', () => {
    const problems = problemsOf({ SWITCHYARD_GRAPH: 'a/b', SWITCHYARD_API_KEY: 'hunter2' })
    expect(problems).toEqual([
      'SWITCHYARD_API_KEY is set to a value that is not shown here: expected at least 10 characters',
    ])
  })
})
