/** Turns errors into the answers that refuse a request. */
import { ExecutionLimitError, type ExecutionResult, PlanningError, RequestError } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import { GRAPHQL_RESPONSE, notAcceptable, type ResponseType } from '../../http/negotiate.ts'
import { errorsOf } from '../../http/reply.ts'

/** An answer that says why there is none. */
export type Refusal = {
  readonly code: string
  readonly status: number
  readonly body: Partial<ExecutionResult>
  /** Headers besides those of every answer. They replace `Cache-Control: no-store`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether the execution came to too much and must be given up. */
  readonly isAbandoned?: true
}

const INTERNAL = { code: 'INTERNAL_SERVER_ERROR', message: 'The router failed to handle this request.' }

/** The client that is refused. */
export type RefusedClient = {
  /** The media type that the client accepts; null if it accepts none. */
  readonly type: ResponseType | null
  /** Whether it may learn names of the schema that it does not know. */
  readonly mayIntrospect: boolean
}

/** Returns the refusal for an error. Null if the router itself is at fault, see `internalError`. */
export function refusalOf(error: unknown, client: RefusedClient): Refusal | null {
  if (error instanceof HttpError) return { ...plain(error.status, error), headers: error.headers }
  if (error instanceof RequestError) return refusedOperation(error, client)
  if (error instanceof ExecutionLimitError) return givenUp(error)
  return error instanceof PlanningError ? plain(400, error) : null
}

/** Returns the refusal for an error that is a fault of the router. */
export function internalError(): Refusal {
  return plain(500, INTERNAL)
}

/** One error. */
export function plain(
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
): Refusal {
  return { code, status, body: errorsOf(code, message) }
}

/** Clients that ask for the type of GraphQL over HTTP want a status for an operation that is refused. */
export function statusOfRefused(type: ResponseType | null): 200 | 400 {
  return type === GRAPHQL_RESPONSE ? 400 : 200
}

function refusedOperation(error: RequestError, client: RefusedClient): Refusal | null {
  const { type, mayIntrospect } = client
  if (type === null) return refusalOf(notAcceptable(), client)
  const { code } = error
  const status = code === 'OPERATION_LIMIT_EXCEEDED' ? 400 : statusOfRefused(type)
  return { code, status, body: { errors: mayIntrospect ? error.errors : error.errorsWithoutSuggestions } }
}

function givenUp({ code, message }: ExecutionLimitError): Refusal {
  const errors = [{ message, extensions: { code } }]
  return { code, status: 200, body: { errors, data: null }, isAbandoned: true }
}
