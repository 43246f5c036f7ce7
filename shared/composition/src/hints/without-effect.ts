/** Hint: directives that compose and have no effect, since the router does not carry them out. */
import type { SpecifiedDirective } from '../directives/specified-directives.ts'
import { reasonWithoutEffect } from '../directives/unsupported-directives.ts'
import { finding, type SubgraphFinding } from '../findings/finding.ts'
import type { SubgraphModel } from '../model/model.ts'
import { appliedDirectives } from './applied-directives.ts'

/** Finds such directives, with one finding for each. */
export function* withoutEffect(model: SubgraphModel): Iterable<SubgraphFinding> {
  for (const [written, applied] of appliedDirectives(model, isWithoutEffect)) {
    const [first] = applied
    if (first === undefined) continue
    const at = applied.map(({ node }) => ({ node }))
    yield finding('DIRECTIVE_WITHOUT_EFFECT', { written, directive: first.directive }, at)
  }
}

function isWithoutEffect(directive: SpecifiedDirective): boolean {
  return reasonWithoutEffect(directive) !== null
}
