import type { GraphQLFormattedError, SourceLocation } from 'graphql'
import { withoutSuggestion } from './did-you-mean.ts'
import { excerpt } from './excerpt.ts'
import type { SourceLines } from './source-lines.ts'

/** How far a request came before it was refused. The router chooses the HTTP status by it. */
export type RefusalPhase = 'parse' | 'validate' | 'operation' | 'variables'

/** Why a request was refused. */
export type RequestErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'OPERATION_LIMIT_EXCEEDED'
  | 'SUBSCRIPTIONS_NOT_SUPPORTED'
  | 'BAD_USER_INPUT'

/** A problem of the request. A `GraphQLError` is one. */
export type RequestProblem = {
  readonly message: string
  /** Indices of characters in the document. */
  readonly positions?: readonly number[] | undefined
  readonly locations?: readonly SourceLocation[] | undefined
}

/** Texts and lists of clients stand in messages: none of them makes one long. */
const MAX_MESSAGE = 1000
const MAX_LOCATIONS = 20

/** The client's request cannot be executed. Everything in `errors` is meant for the client to read. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly phase: RefusalPhase
  readonly code: RequestErrorCode
  /** At least one; each carries `extensions.code`. */
  readonly errors: readonly GraphQLFormattedError[]

  /** `lines`: of the document, where positions in it are to be shown. */
  constructor(
    phase: RefusalPhase,
    code: RequestErrorCode,
    causes: readonly (RequestProblem | string)[],
    lines: SourceLines | null = null,
  ) {
    const errors = causes.map((cause) => formatted(cause, code, lines))
    super(errors.map(({ message }) => message).join('\n'))
    this.phase = phase
    this.code = code
    this.errors = errors
  }

  /** `errors` for those who are not to learn names of the schema that they do not know. */
  get errorsWithoutSuggestions(): readonly GraphQLFormattedError[] {
    return this.errors.map((error) => ({ ...error, message: withoutSuggestion(error.message) }))
  }
}

function formatted(
  cause: RequestProblem | string,
  code: RequestErrorCode,
  lines: SourceLines | null,
): GraphQLFormattedError {
  if (typeof cause === 'string') return { message: excerpt(cause, MAX_MESSAGE), extensions: { code } }
  const { positions } = cause
  const locations =
    lines === null || positions === undefined
      ? cause.locations?.slice(0, MAX_LOCATIONS)
      : positions.slice(0, MAX_LOCATIONS).map((position) => lines.locate(position))
  return {
    message: excerpt(cause.message, MAX_MESSAGE),
    ...(locations === undefined ? {} : { locations }),
    extensions: { code },
  }
}
