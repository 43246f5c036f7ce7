import { GraphQLError, type GraphQLFormattedError } from 'graphql'

/** How far a request came before it was refused. The router chooses the HTTP status by it. */
export type RequestPhase = 'parse' | 'validate' | 'operation' | 'variables'

export type RequestErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'OPERATION_LIMIT_EXCEEDED'
  | 'SUBSCRIPTIONS_NOT_SUPPORTED'
  | 'BAD_USER_INPUT'

/** The client's request cannot be executed. Everything in `errors` is meant for the client to read. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly phase: RequestPhase
  readonly code: RequestErrorCode
  /** At least one; each carries `extensions.code`. */
  readonly errors: readonly GraphQLFormattedError[]

  constructor(phase: RequestPhase, code: RequestErrorCode, causes: readonly (GraphQLError | string)[]) {
    const errors = causes.map((cause) => formatted(cause, code))
    super(errors.map(({ message }) => message).join('\n'))
    this.phase = phase
    this.code = code
    this.errors = errors
  }
}

function formatted(cause: GraphQLError | string, code: RequestErrorCode): GraphQLFormattedError {
  if (typeof cause === 'string') return { message: cause, extensions: { code } }
  const { message, locations } = cause
  return { message, ...(locations === undefined ? {} : { locations }), extensions: { code } }
}
