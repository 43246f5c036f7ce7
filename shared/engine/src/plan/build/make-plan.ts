/** Makes the plan of a solution: builds a draft; merges, schedules and batches its calls; writes it down. */
import { type Graph, typeOf } from '../../graph/graph.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { NormalisedOperation } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { Plan, PlanPreference, Unreachable } from '../contract/plan.ts'
import { FETCH_COST, type ObjectSolution, STAGE_COST } from '../search/solution.ts'
import { unreachableFields } from '../search/unreachable-fields.ts'
import { batchCalls } from './batch-calls.ts'
import { Builder } from './builder.ts'
import type { DraftCall, DraftProvider } from './draft.ts'
import { numberDraft } from './draft-numbers.ts'
import { emitFetches, settleDocuments } from './emit-fetches.ts'
import { emitGroups } from './emit-groups.ts'
import { emitPositions } from './emit-positions.ts'
import { emitShape } from './emit-shape.ts'
import { mergeCalls } from './merge-calls.ts'

/** The operation that plans are made for, and how. */
export type PlanMaking = {
  readonly graph: Graph
  readonly operation: NormalisedOperation
  readonly prefer: PlanPreference
  readonly budget: Budget
}

/** Makes the plan of a solution. */
export function makePlan(making: PlanMaking, solutions: readonly ObjectSolution[]): Plan {
  const { graph, operation, budget } = making
  const builder = new Builder(graph, operation.selection, budget)
  const unreachable = unreachableFields(
    graph,
    operation.rootType,
    solutions.flatMap((solution) => solution.unanswered),
    budget,
  )
  if (unreachable.length === 0) {
    let previous: ObjectSolution | null = null
    for (const solution of solutions) {
      if (previous !== null && !mayFollowInSameCall(previous, solution)) builder.startNextGroup()
      previous = solution
      builder.buildRoot(solution)
    }
  }
  return writePlan(making, builder, unreachable)
}

/**
 * Whether two neighbouring mutation fields become one call: they do if one subgraph answers both, which keeps
 * their order itself. Not if something below the first one is fetched by further calls: it must be read
 * before the second one changes it.
 */
function mayFollowInSameCall(first: ObjectSolution, second: ObjectSolution): boolean {
  const [answer] = first.answers
  return (answer?.child?.fetches ?? 0) === 0 && answer?.call?.node.sub === second.answers[0]?.call?.node.sub
}

/** Merges, schedules and batches the calls of a draft, and writes it down. */
function writePlan(
  { graph, operation, prefer, budget }: PlanMaking,
  builder: Builder,
  unreachable: readonly Unreachable[],
): Plan {
  const isObject = (type: TypeId): boolean => typeOf(graph, type).kind === 'object'
  const calls = mergeCalls(builder.calls, isObject, prefer, budget)
  const providers = new Map<DraftCall, DraftProvider>()
  const collect = (position: typeof builder.root): void => {
    for (const provider of position.providers)
      if (provider.source.kind === 'call' && provider.mergedInto === null)
        providers.set(provider.source.call, provider)
    for (const child of position.children) collect(child)
  }
  collect(builder.root)
  const providerOf = (call: DraftCall): DraftProvider => {
    const provider = providers.get(call)
    if (provider === undefined) throw new RangeError('A call of the plan has lost its provider.')
    return provider
  }
  const fetches = batchCalls(graph, calls, providerOf, isObject, prefer, budget)
  const numbers = numberDraft(graph, builder.root, fetches, providerOf)
  settleDocuments(graph, numbers, fetches, budget)
  const groups = emitGroups(operation.deferred, numbers)
  return {
    kind: operation.kind,
    rootType: operation.rootType,
    fetches: emitFetches(graph, operation, numbers, fetches, budget),
    positions: emitPositions(numbers),
    shape: emitShape(graph, numbers, builder.root, groups, budget),
    groups,
    deferred: operation.deferred !== null,
    introspection: operation.introspection,
    unreachable,
    denied: operation.denied,
    cost: fetches.reduce((sum, { level }) => sum + FETCH_COST + STAGE_COST * level, 0),
    depth: fetches.reduce((depth, { level }) => Math.max(depth, level + 1), 0),
  }
}
