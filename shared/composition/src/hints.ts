/** What composes but is probably a mistake. Codes are the ones the federation documentation uses. */
import { Kind, visit } from 'graphql'
import type { CompositionHint } from './composition-result.ts'
import { locateCoordinates } from './error-locations.ts'
import type { SourceDocument } from './error-locations.ts'
import { argument, federationDirectiveName, findFederationLink } from './federation-link.ts'

export function findHints(sources: readonly SourceDocument[]): readonly CompositionHint[] {
  return sources.flatMap((source) => overrideHints(source, sources))
}

function overrideHints(
  source: SourceDocument,
  sources: readonly SourceDocument[],
): readonly CompositionHint[] {
  const { name, document } = source
  const link = findFederationLink(document)
  const hints: CompositionHint[] = []
  let typeName = ''
  let fieldName = ''
  visit(document, {
    ObjectTypeDefinition: (node) => void (typeName = node.name.value),
    ObjectTypeExtension: (node) => void (typeName = node.name.value),
    FieldDefinition: (node) => void (fieldName = node.name.value),
    Directive(node) {
      if (federationDirectiveName(link, node.name.value) !== 'override') return
      const from = argument(node, 'from')
      const token = node.loc?.startToken
      if (from?.kind !== Kind.STRING || token === undefined) return
      const here = { subgraph: name, line: token.line, column: token.column }
      const overridden = sources.find((candidate) => candidate.name === from.value)
      const coordinate = `${typeName}.${fieldName}`
      if (overridden === undefined) {
        hints.push({
          code: 'FROM_SUBGRAPH_DOES_NOT_EXIST',
          message: `"${coordinate}" in subgraph "${name}" overrides it from "${from.value}", which is no subgraph of this graph; the override has no effect.`,
          subgraphs: [name],
          locations: [here],
        })
      } else if (argument(node, 'label') === undefined && overridden.name !== name) {
        const there = locateCoordinates(coordinate, [overridden])
        if (fieldName === '' || there.length === 0) return
        hints.push({
          code: 'OVERRIDDEN_FIELD_CAN_BE_REMOVED',
          message: `"${coordinate}" of subgraph "${overridden.name}" is overridden in subgraph "${name}"; it is no longer resolved there and can be removed unless a key or @requires of that subgraph uses it.`,
          subgraphs: [name, overridden.name].sort(),
          locations: there,
        })
      }
    },
  })
  return hints
}
