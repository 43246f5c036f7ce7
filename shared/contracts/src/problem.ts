/** RFC 9457 problem details of the management API, with a stable `code`. */
import { z } from 'zod'
import { PROBLEMS } from './problems.ts'

const isCode = (name: string): name is keyof typeof PROBLEMS => name in PROBLEMS
export const ProblemCode = z.enum(Object.keys(PROBLEMS).filter(isCode))
export type ProblemCode = z.infer<typeof ProblemCode>

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: ProblemCode,
  /** A message that says what happened, what that means, and what was expected. */
  detail: z.string(),
  /** All reasons when there are several: numbered by their position. */
  problems: z.array(z.string()).optional(),
  /** Places in the SDL; only with SCHEMA_INVALID. */
  locations: z.array(z.object({ line: z.int(), column: z.int(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>

export function problem(
  code: ProblemCode,
  detail: string,
  more: Pick<Problem, 'problems' | 'locations'> = {},
): Problem {
  const { status, title } = PROBLEMS[code]
  return {
    type: `urn:switchyard:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail,
    ...more,
  }
}

/** A refused command or request, thrown inside services and turned into a problem body at the edge. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(value: Problem, cause?: unknown) {
    super(value.detail, cause === undefined ? undefined : { cause })
    this.problem = value
  }
}
