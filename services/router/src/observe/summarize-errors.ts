/** Says of the errors of an answer what metrics and logs keep. */
import { SUBGRAPH_ERRORS } from '../errors/subgraph-errors.ts'

/** Errors of an answer, or of one of its parts. */
export type ErrorSummary = {
  readonly count: number
  /** The first code of the router among them, or else `other`. Null if there are no errors. */
  readonly code: string | null
}

type Coded = { readonly extensions?: Readonly<Record<string, unknown>> | undefined }

const KNOWN: ReadonlySet<unknown> = new Set(Object.keys(SUBGRAPH_ERRORS))
/** Errors of which the code is looked at: an answer may have very many. */
const MOST_READ = 100

/** The summary of an answer without errors. */
export const NO_ERRORS: ErrorSummary = { count: 0, code: null }

/**
 * Counts errors, and finds the code under which an answer with them is counted. What subgraphs report has any
 * code, and all of it counts as `other`.
 */
export function summarizeErrors(errors: readonly Coded[]): ErrorSummary {
  const { length: count } = errors
  if (count === 0) return NO_ERRORS
  for (let index = 0; index < count && index < MOST_READ; index++) {
    const code = errors[index]?.extensions?.['code']
    if (typeof code === 'string' && KNOWN.has(code)) return { count, code }
  }
  return { count, code: 'other' }
}

/** Adds up two summaries, in this order. */
export function joinSummaries(one: ErrorSummary, other: ErrorSummary): ErrorSummary {
  if (one.count === 0) return other
  if (other.count === 0) return one
  return {
    count: one.count + other.count,
    code: one.code === 'other' ? other.code : one.code,
  }
}
