/**
 * Rule: a directive that says who may see something stands where routers enforce it. A subgraph's own
 * definition may allow it elsewhere, and its author would believe that something is protected.
 */
import { DirectiveLocation } from 'graphql'
import { isAuthorization } from '../../../directives/unsupported-directives.ts'
import { finding } from '../../../findings/finding.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf } from '../../checked/elements.ts'

const ENFORCED: ReadonlySet<DirectiveLocation> = new Set([
  DirectiveLocation.FIELD_DEFINITION,
  DirectiveLocation.OBJECT,
  DirectiveLocation.INTERFACE,
  DirectiveLocation.SCALAR,
  DirectiveLocation.ENUM,
])

/** Finds such directives that no router would carry out. */
export const authorizationPlaces: Rule = function* authorizationPlaces({ elements, names, directive }) {
  for (const element of elements) {
    if (ENFORCED.has(element.location)) continue
    for (const node of element.directives) {
      const specified = names.directive(node.name.value)
      if (specified === null || !isAuthorization(specified)) continue
      const known = directive(node.name.value)
      // Where not even the definition allows it, that is reported.
      if (known.kind !== 'known' || !known.directive.locations.has(element.location)) continue
      const facts = { directive: node.name.value, coordinate: coordinateOf(element) }
      yield finding('AUTHORIZATION_NOT_COMPOSED', facts, [{ node }])
    }
  }
}
