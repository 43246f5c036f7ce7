/**
 * The response to an operation without active `@defer`, as https://spec.graphql.org/draft/#sec-Response
 * describes it.
 */
import type { GraphQLFormattedError } from 'graphql'

/** https://spec.graphql.org/draft/#sec-Errors.Error-Result-Format */
export type ResponseError = GraphQLFormattedError

/** https://spec.graphql.org/draft/#execution-result */
export type ExecutionResult = {
  /** null when a non-null violation reached the root. */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly errors: readonly ResponseError[]
}
