import type { SubgraphReply } from '../contract/subgraph-calls.ts'
import { isJsonObject, type JsonObject, read } from '../../json/json-object.ts'

/** A subgraph reply, checked: `data` is an object or nothing, `errors` have the shape of GraphQL errors. */
export type Answer = {
  readonly data: JsonObject | null
  readonly errors: readonly AnswerError[]
  /** Set when the reply as a whole was unusable. */
  readonly failure: { readonly code: string; readonly message: string } | null
}

export type BodyProblem = {
  readonly code: 'SUBGRAPH_INVALID_RESPONSE' | 'SUBGRAPH_HTTP_ERROR'
  readonly message: string
}

/** An error that a subgraph reported, with the defaults for what is missing in it. */
export type AnswerError = {
  readonly message: string
  /** Path within the subgraph's own response; null when it sent none. */
  readonly path: readonly (string | number)[] | null
  readonly extensions: JsonObject
}

/**
 * The answer of a fetch that was not made, because there was nothing to ask, or a mutation had failed before.
 */
export const NO_ANSWER: Answer = { data: null, errors: [], failure: null }

/** Follows GraphQL over HTTP: a GraphQL body counts whatever the status, everything else is a failure. */
export function readReply(reply: SubgraphReply, subgraph: string): Answer {
  if (reply.kind === 'failure') return failed(reply.code, reply.message)
  const { body, status } = reply
  const failure = problemOfBody(body, status, subgraph)
  if (failure !== null || !isJsonObject(body)) return { data: null, errors: [], failure }
  const data = read(body, 'data')
  return { data: isJsonObject(data) ? data : null, errors: readErrors(read(body, 'errors')), failure: null }
}

/** Explains why a body is no GraphQL response. Returns null if it has data, or errors instead of data. */
export function problemOfBody(body: unknown, status: number, subgraph: string): BodyProblem | null {
  if (isJsonObject(body)) {
    const errors = read(body, 'errors')
    if (isJsonObject(read(body, 'data')) || (Array.isArray(errors) && errors.length > 0)) return null
  }
  if (status >= 400)
    return {
      code: 'SUBGRAPH_HTTP_ERROR',
      message: `Subgraph "${subgraph}" answered with HTTP status ${status}.`,
    }
  const redirect = status >= 300 ? ` (HTTP status ${status}; redirects are not followed)` : ''
  return {
    code: 'SUBGRAPH_INVALID_RESPONSE',
    message: `Subgraph "${subgraph}" sent neither data nor errors${redirect}, so its fields are null.`,
  }
}

/** The answer of a fetch that failed as a whole. */
export function failed(code: string, message: string): Answer {
  return { data: null, errors: [], failure: { code, message } }
}

function readErrors(value: unknown): readonly AnswerError[] {
  if (!Array.isArray(value)) return []
  return value.map((entry: unknown): AnswerError => {
    const error: JsonObject = isJsonObject(entry) ? entry : {}
    const message = read(error, 'message')
    const path = read(error, 'path')
    const extensions = read(error, 'extensions')
    return {
      message:
        typeof message === 'string' && message !== ''
          ? message
          : 'The subgraph reported an error without a message.',
      path: Array.isArray(path) && path.every(isSegment) ? path : null,
      extensions: isJsonObject(extensions) ? extensions : {},
    }
  })
}

function isSegment(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0)
}
