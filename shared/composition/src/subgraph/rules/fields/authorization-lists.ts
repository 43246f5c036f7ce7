/** Rule: `@requiresScopes` and `@policy` list alternatives that somebody could have. */
import { Kind, type ValueNode } from 'graphql'
import { isAuthorization } from '../../../directives/unsupported-directives.ts'
import { argument } from '../../../federation/federation-link.ts'
import { finding } from '../../../findings/finding.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf } from '../../checked/elements.ts'

const LISTS: Readonly<Record<string, string | undefined>> = { requiresScopes: 'scopes', policy: 'policies' }

/** Finds lists that name nothing, or anything else than texts. */
export const authorizationLists: Rule = function* authorizationLists({ elements, names }) {
  for (const element of elements) {
    for (const node of element.directives) {
      const directive = names.directive(node.name.value)
      const list = directive !== null && isAuthorization(directive) ? LISTS[directive.name] : undefined
      const value = list === undefined ? undefined : argument(node, list)
      if (list === undefined || value === undefined || isListOfLists(value)) continue
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'no-alternatives', directive: node.name.value, coordinate: coordinateOf(element), list },
        [{ node }],
      )
    }
  }
}

function isListOfLists(value: ValueNode): boolean {
  const outer = itemsOf(value)
  return outer.length > 0 && outer.every((item) => itemsOf(item).every(({ kind }) => kind === Kind.STRING))
}

/** One value stands for a list of one: https://spec.graphql.org/draft/#sec-List.Input-Coercion */
function itemsOf(value: ValueNode): readonly ValueNode[] {
  return value.kind === Kind.LIST ? value.values : [value]
}
