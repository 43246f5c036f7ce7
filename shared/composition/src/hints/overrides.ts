/** Overrides that have no effect, and fields that an override has made superfluous. */
import { Kind, visit } from 'graphql'
import type { CompositionHint } from '../contract/composition-result.ts'
import { argument, federationDirectiveName } from '../federation/federation-link.ts'
import { at, type Located, tidy } from '../locations/place.ts'
import { names } from '../locations/rule.ts'

/** Hints about the overrides that the subgraph `source` declares. */
export function overrideHints(source: Located, sources: readonly Located[]): readonly CompositionHint[] {
  const { name, subgraph } = source
  const { document, link } = subgraph
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
      if (from?.kind !== Kind.STRING) return
      const overridden = sources.find((candidate) => candidate.name === from.value)
      const coordinate = `${typeName}.${fieldName}`
      if (overridden === undefined) {
        hints.push({
          code: 'FROM_SUBGRAPH_DOES_NOT_EXIST',
          message: `"${coordinate}" in subgraph "${name}" overrides it from "${from.value}", which is no subgraph of this graph; the override has no effect.`,
          subgraphs: [name],
          locations: at(source, node),
        })
      } else if (argument(node, 'label') === undefined && overridden.name !== name) {
        const there = names([overridden], coordinate, () => 'can be removed')
        if (fieldName === '' || there.length === 0) return
        hints.push({
          code: 'OVERRIDDEN_FIELD_CAN_BE_REMOVED',
          message: `"${coordinate}" of subgraph "${overridden.name}" is overridden in subgraph "${name}"; it is no longer resolved there and can be removed unless a key or @requires of that subgraph uses it.`,
          subgraphs: [name, overridden.name].sort(),
          locations: tidy([...there, ...at(source, node, 'overrides it')]),
        })
      }
    },
  })
  return hints
}
