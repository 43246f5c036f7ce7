/**
 * Repair: `@override(from:)` of a subgraph in whose place a feature subgraph stands.
 *
 * Schemas name each other as they are published, without knowing of flags. Behind the flag nobody has the
 * name of the replaced subgraph: the override would have no effect, and the field would be resolved by two.
 * So it is read as naming the replacement. A subgraph that replaces another and overrides fields of just that
 * one has nothing left to override.
 */
import { Kind, visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { SubgraphInput } from '../contract/composition-result.ts'
import { federationDirectiveName, findFederationLink } from '../federation/federation-link.ts'

/**
 * Returns the names of feature subgraphs by the name of the subgraph that they replace. Replaced subgraphs
 * that are in the graph as well are left out.
 */
export function replacementsIn(subgraphs: readonly SubgraphInput[]): ReadonlyMap<string, string> {
  const present = new Set(subgraphs.map(({ name }) => name))
  return new Map(
    subgraphs.flatMap(({ name, baseName }) =>
      baseName === null || baseName === undefined || present.has(baseName) ? [] : [[baseName, name] as const],
    ),
  )
}

/**
 * The document of the subgraph `name` with overrides that name replacements. `replacements` has their names
 * by the names of the subgraphs that they replace.
 */
export function withOverridesOfReplacements(
  name: string,
  document: DocumentNode,
  replacements: ReadonlyMap<string, string>,
): DocumentNode {
  const link = findFederationLink(document)
  if (replacements.size === 0 || link === null) return document
  return visit(document, {
    Directive(node) {
      if (federationDirectiveName(link, node.name.value) !== 'override') return undefined
      const args = node.arguments?.map((argument) => {
        if (argument.name.value !== 'from' || argument.value.kind !== Kind.STRING) return argument
        const replacement = replacements.get(argument.value.value)
        if (replacement === undefined || replacement === name) return argument
        return { ...argument, value: { ...argument.value, value: replacement } }
      })
      return args === undefined ? undefined : { ...node, arguments: args }
    },
  })
}
