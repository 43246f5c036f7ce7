/**
 * Repair: `@shareable` on fields of interface objects, which the library does not see. A field that two
 * interface objects share is reported as resolved twice.
 */
import type { GraphQLError } from 'graphql'
import {
  federationDirectives,
  isExternal,
  isInterfaceObject,
  type ParsedSubgraph,
} from '../subgraph/subgraph.ts'

/** True if the error complains of a field that all its interface objects share rightly. */
export function isAboutSharedInterfaceObject(
  error: GraphQLError,
  subgraphs: readonly ParsedSubgraph[],
): boolean {
  if (error.extensions['code'] !== 'INVALID_FIELD_SHARING') return false
  const [, typeName = '', fieldName = ''] = /^Non-shareable field "(\w+)\.(\w+)"/.exec(error.message) ?? []
  let objects = 0
  for (const subgraph of subgraphs) {
    const type = subgraph.types.get(typeName)
    const field = type?.fields.get(fieldName)
    if (type === undefined || field === undefined || isExternal(subgraph, type, field)) continue
    if (!isInterfaceObject(subgraph, type)) continue
    objects++
    if (![type, field].some((node) => federationDirectives(subgraph, node, 'shareable').length > 0))
      return false
  }
  return objects > 1
}
