import { type DocumentNode, type GraphQLSchema, recommendedRules, specifiedRules, validate } from 'graphql'
import { exceeded, SAME_FIELDS_TOO_OFTEN } from './limits.ts'
import { RequestError } from './operation-error.ts'

const RULES = [...specifiedRules, ...recommendedRules]
const MAX_ERRORS = 50
/** What graphql-js says when the pairs of fields that share a response name are more than it compares. */
const COMPARISONS_ABORTED = 'Validation aborted.'

export function validateDocument(schema: GraphQLSchema, document: DocumentNode): void {
  try {
    const errors = validate(schema, document, RULES, { maxErrors: MAX_ERRORS })
    if (errors.length === 1 && errors[0]?.message === COMPARISONS_ABORTED)
      throw exceeded(SAME_FIELDS_TOO_OFTEN)
    if (errors.length > 0) throw new RequestError('validate', 'GRAPHQL_VALIDATION_FAILED', errors)
  } catch (error) {
    if (error instanceof RangeError) throw exceeded('The document nests deeper than can be validated.')
    throw error
  }
}
