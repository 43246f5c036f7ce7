/** Says of the errors of an answer what metrics and logs keep. */
import { SUBGRAPH_ERRORS, type SubgraphErrorCode } from '../errors/subgraph-errors.ts'

/** Errors of an answer, or of one of its parts. */
export type ErrorSummary = {
  readonly count: number
  /** The first code of the router among them, or else `other`. Null if there are no errors. */
  readonly code: string | null
  /**
   * The code of the first error that is a failure, as the router or the subgraph calls it, or `other` if it
   * has none. Null if there are no failures: that a client may not see a field is none. `other` as well if
   * there are more errors than are read, and none of these is a failure.
   */
  readonly failure: string | null
}

type Coded = { readonly extensions?: Readonly<Record<string, unknown>> | undefined }

const KNOWN: ReadonlySet<unknown> = new Set(Object.keys(SUBGRAPH_ERRORS))
const DENIED: SubgraphErrorCode = 'UNAUTHORIZED_FIELD_OR_TYPE'
/** Errors of which the code is looked at: an answer may have very many. */
const MOST_READ = 100

/** The summary of an answer without errors. */
export const NO_ERRORS: ErrorSummary = { count: 0, code: null, failure: null }

/**
 * Counts errors, and finds the code under which an answer with them is counted. What subgraphs report has any
 * code, and all of it counts as `other`.
 */
export function summarizeErrors(errors: readonly Coded[]): ErrorSummary {
  const { length: count } = errors
  if (count === 0) return NO_ERRORS
  let known: string | null = null
  let failure: string | null = null
  for (let index = 0; index < count && index < MOST_READ; index++) {
    const code = errors[index]?.extensions?.['code']
    const text = typeof code === 'string' ? code : 'other'
    if (known === null && KNOWN.has(code)) known = text
    if (failure === null && text !== DENIED) failure = text
    if (known !== null && failure !== null) break
  }
  if (failure === null && count > MOST_READ) failure = 'other'
  return { count, code: known ?? 'other', failure }
}

/** Adds up two summaries, in this order. */
export function joinSummaries(one: ErrorSummary, other: ErrorSummary): ErrorSummary {
  if (one.count === 0) return other
  if (other.count === 0) return one
  return {
    count: one.count + other.count,
    code: one.code === 'other' ? other.code : one.code,
    failure: one.failure ?? other.failure,
  }
}
