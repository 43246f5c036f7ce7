/**
 * Hint: fields that anybody is answered although a directive says who may see them, where the graph allows
 * it.
 */
import { isAuthorization } from '../directives/unsupported-directives.ts'
import { finding, type SubgraphFinding } from '../findings/finding.ts'
import type { SubgraphModel } from '../model/model.ts'
import { appliedDirectives } from './applied-directives.ts'

/**
 * Finds such directives, with one finding for each: the warning is repeated with every answer, so it must
 * stay readable.
 */
export function* unenforcedAuthorization(model: SubgraphModel): Iterable<SubgraphFinding> {
  for (const [directive, applied] of appliedDirectives(model, isAuthorization)) {
    const coordinates = applied.map(({ coordinate }) => coordinate)
    const at = applied.map(({ node, coordinate }) => ({ node, label: { kind: 'on', coordinate } as const }))
    yield finding('AUTHORIZATION_NOT_ENFORCED', { directive, coordinates }, at)
  }
}
