/**
 * Repair: fields that return the query root, such as `type Reset { query: Query! }`.
 *
 * The library wants a key to get from the root type of one subgraph to that of another and reports every field of the
 * others as unsatisfiable. No key is needed: any subgraph can be asked for its root fields at any time.
 */
import type { GraphQLError } from 'graphql'

export function isAboutRootReentry(error: GraphQLError): boolean {
  if (error.extensions['code'] !== 'SATISFIABILITY_ERROR') return false
  const reasons = error.message.split('\n').filter((line) => /\bcannot (?:find|move)\b/.test(line))
  const needsRootKey = reasons.some((line) => line.includes('because type "Query" has no @key defined'))
  return needsRootKey && reasons.every((line) => line.includes('field "Query.'))
}
