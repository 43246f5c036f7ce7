/**
 * Repair: `@requiresScopes(scopes: "a")` and `scopes: ["a", "b"]` are lists of lists, since one value stands
 * for a list of one (https://spec.graphql.org/draft/#sec-List.Input-Coercion). The library reads the outer
 * lists only where they are written.
 */
import { type DocumentNode, Kind, type ListValueNode, type ValueNode, visit } from 'graphql'
import { specifiedDirectives } from '../directives/specified-directives.ts'
import { isAuthorization } from '../directives/unsupported-directives.ts'

/** The document with all lists of scopes and policies written out. */
export function withAuthorizationLists(document: DocumentNode): DocumentNode {
  const short = new Set<unknown>(
    specifiedDirectives(document).flatMap(({ node, directive }) =>
      isAuthorization(directive) && node.arguments?.some(({ value }) => !isWhole(value)) ? [node] : [],
    ),
  )
  if (short.size === 0) return document
  return visit(document, {
    Directive(node) {
      if (!short.has(node)) return undefined
      const args = (node.arguments ?? []).map((argument) => ({ ...argument, value: whole(argument.value) }))
      return { ...node, arguments: args }
    },
  })
}

function isWhole(value: ValueNode): boolean {
  return value.kind === Kind.LIST && value.values.every(({ kind }) => kind === Kind.LIST)
}

function whole(value: ValueNode): ListValueNode {
  const items = value.kind === Kind.LIST ? value.values : [value]
  const lists = items.map(
    (item): ValueNode => (item.kind === Kind.LIST ? item : { kind: Kind.LIST, values: [item] }),
  )
  return { kind: Kind.LIST, values: lists }
}
