/**
 * Validation of a document, https://spec.graphql.org/draft/#sec-Validation. How `@defer` is used is not
 * checked here: while nothing is deferred it means nothing, and else it is checked for the operation that is
 * executed.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema, validate } from 'graphql'
import { exceeded, SAME_FIELDS_TOO_OFTEN } from './limits.ts'
import { RequestError } from './operation-error.ts'
import type { SourceLines } from './source-lines.ts'
import { rulesFor } from './validation-rules.ts'

const MAX_ERRORS = 50
/**
 * Suggestions ("Did you mean …?") are made only for few errors in a small document, such as people write: for
 * each error all names of a type or of the schema are looked at.
 */
const EXPLAINED_ERRORS = 5
const EXPLAINED_LENGTH = 20_000
/**
 * The message of graphql-js when it stops comparing the pairs of fields that share a response name, because
 * there are too many.
 */
const COMPARISONS_ABORTED = 'Validation aborted.'
const STREAM_UNKNOWN = 'Unknown directive "@stream".'

/** Throws a `RequestError` of phase `validate` that lists what is wrong with the document. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  lines: SourceLines,
  mayDefer: boolean,
): void {
  const rules = rulesFor(document, lines)
  try {
    let errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions: true })
    if (errors.length > 0 && errors.length <= EXPLAINED_ERRORS && lines.length <= EXPLAINED_LENGTH)
      errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS })
    if (errors.length === 1 && errors[0]?.message === COMPARISONS_ABORTED)
      throw exceeded(SAME_FIELDS_TOO_OFTEN)
    if (errors.length > 0)
      throw new RequestError(
        'validate',
        'GRAPHQL_VALIDATION_FAILED',
        mayDefer ? errors.map(explained) : errors,
        lines,
      )
  } catch (error) {
    if (error instanceof RangeError) throw exceeded('The document nests deeper than can be validated.')
    throw error
  }
}

/** Explains that `@stream` is not supported: "unknown" alone would look like a mistake of the router. */
function explained(error: GraphQLError): GraphQLError {
  if (error.message !== STREAM_UNKNOWN) return error
  return new GraphQLError(
    '"@stream" is not supported: lists are delivered whole. Expected "@defer" on a fragment, which is.',
    { nodes: error.nodes },
  )
}
