/**
 * Rules for `@authenticated`, `@requiresScopes` and `@policy`. The router enforces what stands in the
 * supergraph, so a rule that would not get there, or that says nothing, must not compose: its author believes
 * that the field is protected.
 */
import { type DirectiveNode, type DocumentNode, Kind, type ValueNode } from 'graphql'
import type { CompositionError } from './contract/composition-result.ts'
import { argument } from './federation/federation-link.ts'
import { isTypeNode, membersOf } from './documents/definitions.ts'
import { at } from './locations/place.ts'
import { type SpecifiedApplication, specifiedDirectives } from './directives/specified-directives.ts'
import type { ParsedSubgraph } from './subgraph/subgraph.ts'
import { isAuthorization } from './directives/unsupported-directives.ts'

/** Arguments that list alternatives, by directive. */
const LISTS: Readonly<Record<string, string>> = { requiresScopes: 'scopes', policy: 'policies' }

/** Lists of scopes or policies that name nothing, or anything else than texts. */
export function findInvalidLists({
  name,
  document,
}: Pick<ParsedSubgraph, 'name' | 'document'>): readonly CompositionError[] {
  return authorizationIn(document).flatMap(({ node, coordinate, directive }) => {
    const list = LISTS[directive.name]
    if (list === undefined) return []
    const value = argument(node, list)
    if (isListOfLists(value)) return []
    return [
      {
        code: 'INVALID_GRAPHQL',
        message: `[${name}] @${node.name.value} on "${coordinate}" names no ${list} that somebody could have: expected ${list}: [["one", "and another"], ["or this one"]], with at least one list.`,
        subgraphs: [name],
        locations: at({ name }, node),
      },
    ]
  })
}

function isListOfLists(value: ValueNode | undefined): boolean {
  const outer = itemsOf(value)
  return outer.length > 0 && outer.every((item) => itemsOf(item).every(({ kind }) => kind === Kind.STRING))
}

/** One value stands for a list of one: https://spec.graphql.org/draft/#sec-List.Input-Coercion */
function itemsOf(value: ValueNode | undefined): readonly ValueNode[] {
  if (value === undefined) return []
  return value.kind === Kind.LIST ? value.values : [value]
}

/** Rules of subgraphs that the supergraph does not have at the place where they were written. */
export function findLostRules(
  subgraphs: readonly ParsedSubgraph[],
  supergraph: DocumentNode,
): readonly CompositionError[] {
  const applied = subgraphs.map((subgraph) => ({ subgraph, rules: authorizationIn(subgraph.document) }))
  if (applied.every(({ rules }) => rules.length === 0)) return []
  const kept = directivesByCoordinate(supergraph)
  return applied.flatMap(({ subgraph, rules }) =>
    rules.flatMap(({ node, coordinate, directive }) => {
      const there = kept.get(coordinate)
      // What the supergraph does not have, nobody can ask for.
      if (there === undefined || there.some(({ name }) => name.value === directive.name)) return []
      return [
        {
          code: 'AUTHORIZATION_NOT_COMPOSED',
          message: `[${subgraph.name}] @${node.name.value} on "${coordinate}" would not be in the supergraph, so that nobody would enforce it. Import @${directive.name} by @link(url: "https://specs.apollo.dev/federation/v2.9"), under the name @link itself.`,
          subgraphs: [subgraph.name],
          locations: at(subgraph, node),
        },
      ]
    }),
  )
}

function authorizationIn(document: DocumentNode): readonly SpecifiedApplication[] {
  return specifiedDirectives(document).filter(({ directive }) => isAuthorization(directive))
}

/** Returns the directives of types by name, and those of their members by coordinate. */
function directivesByCoordinate(document: DocumentNode): ReadonlyMap<string, readonly DirectiveNode[]> {
  const found = new Map<string, readonly DirectiveNode[]>()
  for (const definition of document.definitions) {
    if (!isTypeNode(definition)) continue
    const type = definition.name.value
    found.set(type, definition.directives ?? [])
    for (const member of membersOf(definition))
      found.set(`${type}.${member.name.value}`, member.directives ?? [])
  }
  return found
}
