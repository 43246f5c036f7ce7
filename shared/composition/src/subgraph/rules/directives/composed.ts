/** Rule: a directive that the supergraph shall have is defined, and of a linked specification. */
import { Kind } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import { finding } from '../../../findings/finding.ts'
import { schemaDirectives } from '../../../directives/specified-directives.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'

/** Finds `@composeDirective` of directives that are not defined, or that no link brings. */
export const composed: Rule = function* composed({ model, names, definitions }) {
  const defined = new Set(
    definitions.flatMap((node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? [node.name.value] : [])),
  )
  for (const node of schemaDirectives(model.document)) {
    const name = argument(node, 'name')
    const isComposing = names.directive(node.name.value)?.name === 'composeDirective'
    if (!isComposing || name?.kind !== Kind.STRING) continue
    const directive = name.value.replace(/^@/, '')
    if (defined.has(directive) && model.composed.has(directive)) continue
    const kind = defined.has(directive) ? 'not-linked' : 'not-defined'
    yield finding('DIRECTIVE_COMPOSITION_ERROR', { kind, directive }, [{ node }])
  }
}
