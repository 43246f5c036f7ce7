/** Rule: no directive is used that only another router could carry out. */
import { reasonToRefuse } from '../../../directives/unsupported-directives.ts'
import { finding } from '../../../findings/finding.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf } from '../../checked/elements.ts'

/** Finds applications of directives for which no composition can do what their author expects. */
export const unsupported: Rule = function* unsupported({ elements, names }) {
  for (const element of elements) {
    for (const node of element.directives) {
      const directive = names.directive(node.name.value)
      if (directive === null || reasonToRefuse(directive) === null) continue
      const facts = { written: node.name.value, directive, coordinate: coordinateOf(element) }
      yield finding('UNSUPPORTED_DIRECTIVE', facts, [{ node }])
    }
  }
}
