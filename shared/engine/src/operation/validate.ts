/**
 * Validation of a document, https://spec.graphql.org/draft/#sec-Validation. How `@defer` is used is not checked here: while
 * nothing is deferred it means nothing, and else it is checked for the operation that is executed.
 */
import {
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  recommendedRules,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql'
import { exceeded, SAME_FIELDS_TOO_OFTEN } from './limits.ts'
import { RequestError } from './operation-error.ts'

const RULES_OF_DEFER: readonly ValidationRule[] = [
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
]
const RULES = [...specifiedRules, ...recommendedRules].filter((rule) => !RULES_OF_DEFER.includes(rule))
const MAX_ERRORS = 50
/** What graphql-js says when the pairs of fields that share a response name are more than it compares. */
const COMPARISONS_ABORTED = 'Validation aborted.'
const STREAM_UNKNOWN = 'Unknown directive "@stream".'

export function validateDocument(schema: GraphQLSchema, document: DocumentNode, mayDefer: boolean): void {
  try {
    const errors = validate(schema, document, RULES, { maxErrors: MAX_ERRORS })
    if (errors.length === 1 && errors[0]?.message === COMPARISONS_ABORTED)
      throw exceeded(SAME_FIELDS_TOO_OFTEN)
    if (errors.length > 0)
      throw new RequestError(
        'validate',
        'GRAPHQL_VALIDATION_FAILED',
        mayDefer ? errors.map(explained) : errors,
      )
  } catch (error) {
    if (error instanceof RangeError) throw exceeded('The document nests deeper than can be validated.')
    throw error
  }
}

/** Whoever may defer will try to stream as well: "unknown" would leave it open whether that is a mistake. */
function explained(error: GraphQLError): GraphQLError {
  if (error.message !== STREAM_UNKNOWN) return error
  return new GraphQLError(
    '"@stream" is not supported: lists are delivered whole. Expected "@defer" on a fragment, which is.',
    { nodes: error.nodes },
  )
}
