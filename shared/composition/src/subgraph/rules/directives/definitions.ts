/** Rule: definitions of what the federation specification brings are those of the specification. */
import { Kind } from 'graphql'
import { isTypeNode } from '../../../documents/definitions.ts'
import { federationDirective } from '../../../federation/directive-definitions.ts'
import { finding } from '../../../findings/finding.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { definitionProblem } from '../../checked/definition-problem.ts'
import { minorFor } from '../../checked/known-directives.ts'

/** Finds definitions of federation directives and scalars that differ from those of the specification. */
export const specifiedDefinitions: Rule = function* specifiedDefinitions({ names, definitions }) {
  for (const node of definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) {
      const used = node.name.value
      const directive = names.directive(used)
      if (directive?.specification !== 'federation') continue
      const specified = federationDirective(directive.name, minorFor(used, directive.name, names))
      const problem = specified === null ? null : definitionProblem(node, specified, names)
      if (problem !== null)
        yield finding('DIRECTIVE_DEFINITION_INVALID', { directive: used, problem }, [{ node: node.name }])
    } else if (isTypeNode(node) && names.isMachinery(node.name.value)) {
      const type = node.name.value
      const isScalar = node.kind === Kind.SCALAR_TYPE_DEFINITION || node.kind === Kind.SCALAR_TYPE_EXTENSION
      if (names.link !== null && !isScalar && names.link.imports.has(type))
        yield finding('TYPE_DEFINITION_INVALID', { type }, [{ node: node.name }])
    }
  }
}
