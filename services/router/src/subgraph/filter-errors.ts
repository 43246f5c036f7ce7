import { ExactNumber } from '@switchyard/engine'
import type { SubgraphErrorCode } from '../errors.ts'

export type ErrorRules = {
  /** Extensions that clients may see. */
  readonly allowedExtensions: ReadonlySet<string>
  /** So many errors of one answer reach the client, and one more that says how many were left out. */
  readonly maxPerAnswer: number
}

/**
 * What clients learn of a subgraph's errors: message and path, and of the extensions only those that are allowed (stack traces
 * and internal details live there). Their number is bounded, since each may be shown at many places of the response: an
 * answer of many small errors would become a response many times as large.
 */
export function filterErrors(body: unknown, subgraph: string, rules: ErrorRules): unknown {
  if (!isObject(body) || body['errors'] === undefined) return body
  const { errors } = body
  if (!Array.isArray(errors)) return body
  const { allowedExtensions, maxPerAnswer } = rules
  const kept = errors.slice(0, maxPerAnswer).map((error: unknown) => filterError(error, allowedExtensions))
  const left = errors.length - kept.length
  return { ...body, errors: left === 0 ? kept : [...kept, summary(left, subgraph)] }
}

const OMITTED: SubgraphErrorCode = 'SUBGRAPH_ERRORS_OMITTED'

function summary(count: number, subgraph: string) {
  return {
    message: `${count} more ${count === 1 ? 'error' : 'errors'} of this answer of subgraph "${subgraph}" left out.`,
    extensions: { code: OMITTED },
  }
}

function filterError(error: unknown, allowed: ReadonlySet<string>): unknown {
  if (!isObject(error) || !isObject(error['extensions'])) return error
  const kept = Object.entries(error['extensions']).filter(([name]) => allowed.has(name))
  return { ...error, extensions: Object.fromEntries(kept) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
