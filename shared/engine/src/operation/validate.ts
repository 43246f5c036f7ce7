import { type DocumentNode, type GraphQLSchema, recommendedRules, specifiedRules, validate } from 'graphql'
import { exceeded } from './limits.ts'
import { RequestError } from './operation-error.ts'

const RULES = [...specifiedRules, ...recommendedRules]
const MAX_ERRORS = 50
/** What graphql-js says when the pairs of fields that share a response name are more than it compares. */
const COMPARISONS_ABORTED = 'Validation aborted.'

export function validateDocument(schema: GraphQLSchema, document: DocumentNode): void {
  try {
    const errors = validate(schema, document, RULES, { maxErrors: MAX_ERRORS })
    if (errors.length === 1 && errors[0]?.message === COMPARISONS_ABORTED)
      throw exceeded('The operation selects the same fields too often to be checked for conflicts.')
    if (errors.length > 0) throw new RequestError('validate', 'GRAPHQL_VALIDATION_FAILED', errors)
  } catch (error) {
    if (error instanceof RangeError) throw exceeded('The document nests deeper than can be validated.')
    throw error
  }
}
