/**
 * Which limits of stitching explain that the stitched gateway differs: those whose way of asking makes the
 * difference go away, else those that the places of the differences point to.
 */
import type { Graph, Plan } from '@switchyard/engine'
import { withoutFragmentSpreads, withoutSkipped } from '@switchyard/samples'
import {
  type OpinionComparison,
  compareOpinions,
  type SecondOpinion,
  type SecondOpinionError,
  type StitchingLimitId,
} from '@switchyard/second-opinion'
import { answerOf, opinionOf } from './answers.ts'
import { differencesOf, pathPattern } from './differences.ts'
import type { EngineGateway, OurAnswer } from './engine-gateway.ts'
import { limitFinder, type LimitOf } from './limit-of.ts'
import { hasAliases, withNeutralNames } from './neutral-names.ts'
import type { VerifyOperation } from './operation.ts'
import type { Difference } from './verdict.ts'

/** The graph and both gateways. */
export type ExplainedGateways = {
  readonly graph: Graph
  readonly ours: EngineGateway
  readonly theirs: SecondOpinion | SecondOpinionError
}

/** Resolves with null where some difference has no limit that is known to cause such. */
export type Explain = (
  operation: VerifyOperation,
  ours: OurAnswer,
  comparison: OpinionComparison,
  differences: readonly Difference[],
) => Promise<readonly StitchingLimitId[] | null>

/** A function that finds the limits which explain a difference. */
export function openExplanations({ graph, ours: askOurs, theirs: askTheirs }: ExplainedGateways): Explain {
  const limitOf = limitFinder(graph)
  return async (operation, ours, comparison, differences) => {
    for (const [limit, inPlainerWords] of REWORDINGS) {
      const plainer = inPlainerWords(operation)
      if (plainer !== null && (await compareOn(plainer))?.differences.length === 0) return [limit]
    }
    if (comparison.kind !== 'equal' && comparison.data.length === 0 && samePatterns(comparison))
      return ['error-paths']
    const placed = limitsOf(limitOf, ours.plan, differences)
    if (placed !== null) return placed
    // Several limits at once: the operation is reworded to avoid all of them. Differences that are left have
    // to be explained by limits that no rewording avoids.
    let plainest = operation
    const reworded: StitchingLimitId[] = []
    for (const [limit, inPlainerWords] of REWORDINGS) {
      const plainer = inPlainerWords(plainest)
      if (plainer === null) continue
      plainest = plainer
      reworded.push(limit)
    }
    const left = reworded.length === 0 ? null : await compareOn(plainest)
    if (left === null) return null
    const others = limitsOf(limitOf, left.plan, left.differences)
    return others === null ? null : [...new Set([...reworded, ...others])]
  }

  async function compareOn(
    operation: VerifyOperation,
  ): Promise<{ readonly plan: Plan; readonly differences: readonly Difference[] } | null> {
    const ours = await answerOf(() => askOurs(operation))
    const theirs = await opinionOf(askTheirs, operation)
    if ('code' in ours || 'code' in theirs) return null
    const comparison = compareOpinions(ours.opinion, theirs)
    return { plan: ours.plan, differences: differencesOf(comparison, ours.plan, ours.opinion, theirs) }
  }
}

/** Returns the operation without the parts that a limit is about. Null if it has no such parts. */
type Rewording = (operation: VerifyOperation) => VerifyOperation | null

const REWORDINGS: readonly (readonly [StitchingLimitId, Rewording])[] = [
  [
    'aliases',
    (operation) =>
      hasAliases(operation.query) ? { ...operation, query: withNeutralNames(operation.query) } : null,
  ],
  [
    'conditions',
    (operation) =>
      /@(?:skip|include)\b/.test(operation.query) ? withoutSkipped(operation, { fillEmpty: true }) : null,
  ],
  [
    'fragments',
    (operation) =>
      /\bfragment\b/.test(operation.query)
        ? { ...operation, query: withoutFragmentSpreads(operation.query) }
        : null,
  ],
]

/** Returns the limits that the positions of all differences point to. Null if one of them has none. */
function limitsOf(
  limitOf: LimitOf,
  plan: Plan,
  differences: readonly Difference[],
): readonly StitchingLimitId[] | null {
  const found = differences.map(({ path }) => limitOf(plan, path))
  return found.every((limit) => limit !== null) ? [...new Set(found)] : null
}

/** Errors at the same places, as far as one leaves out the numbers of items. */
function samePatterns(comparison: Extract<OpinionComparison, { kind: 'witness-differs' }>): boolean {
  const patterns = (side: string) =>
    new Set(comparison.errors.filter((error) => error.side === side).map(({ path }) => pathPattern(path)))
  const [ours, theirs] = [patterns('ours'), patterns('theirs')]
  return [...theirs].every((pattern) => ours.has(pattern))
}
