/** Decides what a request that has ended tells of the composition that answered it. */
import type { CountedRequest } from '@switchyard/guards/counting'
import type { RequestSummary } from '../../observe/request-summary.ts'

/**
 * The codes of answers that say of an operation that it does not fit the composition, or came to nothing
 * because of it. Answers with a status of 500 and above count whatever their code is.
 */
const OF_COMPOSITION: ReadonlySet<string> = new Set([
  'BAD_USER_INPUT',
  'COST_ESTIMATED_TOO_EXPENSIVE',
  'COST_INVALID_SLICING_ARGUMENTS',
  'EXECUTION_LIMIT_EXCEEDED',
  'GRAPHQL_VALIDATION_FAILED',
  'INTERNAL_SERVER_ERROR',
  'PLANNING_LIMIT',
  'PLANNING_UNSUPPORTED',
  'PLAN_UNREACHABLE',
])

/**
 * Returns what is counted of a request. Null if it says nothing about its composition: its client left, a
 * trace slowed it down, or it was refused for what its client did wrong. Nor is a subscription counted that
 * was served: it has any number of results, over any time, of several compositions.
 */
export function countedRequest(request: RequestSummary): CountedRequest | null {
  const { aborted, traced, status, code, failure, subscription } = request
  if (aborted || traced || status === 0 || subscription !== null) return null
  if (status >= 500) return counted(request, code ?? String(status))
  if (code === null) return counted(request, failure)
  return OF_COMPOSITION.has(code) ? counted(request, code) : null
}

/** Takes of an answer in parts the time until the first of them. */
function counted(request: RequestSummary, error: string | null): CountedRequest {
  const { operation, document, firstPart, phases } = request
  return {
    error,
    milliseconds: firstPart ?? phases.whole,
    operation: operation ?? (document === '' ? null : document),
  }
}
