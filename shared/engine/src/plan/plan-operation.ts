/**
 * From an operation to its plan, stage by stage. Pure and deterministic.
 *
 *     normalise → search (search/) → build a draft (build/builder.ts) → merge, schedule and batch its calls →
 *     write it down
 */
import { type Graph, typeOf } from '../graph/graph.ts'
import { normaliseOperation } from '../operation/normalise/normalise.ts'
import type { Operation } from '../operation/operation.ts'
import type { FieldGoal, NormalisedOperation } from '../operation/normalise/normalised.ts'
import { batchCalls } from './build/batch-calls.ts'
import { Budget, DEFAULT_STEP_LIMIT } from '../work/planning-budget.ts'
import { Builder } from './build/builder.ts'
import { findCommonMembers, type CommonMembers } from './search/common-members.ts'
import type { DraftProvider, DraftCall } from './build/draft.ts'
import { emitGroups } from './build/emit-groups.ts'
import { numberDraft } from './build/draft-numbers.ts'
import { emitFetches, settleDocuments } from './build/emit-fetches.ts'
import { emitPositions } from './build/emit-positions.ts'
import { INITIAL, type Purpose } from './search/goal-options.ts'
import { mergeCalls } from './build/merge-calls.ts'
import type { TypeId } from '../ids/ids.ts'
import type { Plan, Unreachable } from './contract/plan.ts'
import { learnedFacts } from './search/learned-facts.ts'
import { emitShape } from './build/emit-shape.ts'
import { FETCH_COST, type ObjectSolution, type EntryPoint, STAGE_COST } from './search/solution.ts'
import { openSearch, type Search } from './search/search.ts'
import { unreachableFields } from './search/unreachable-fields.ts'

/** Settings of one run of the planner. */
export type PlanOptions = {
  /**
   * Active labels of progressive overrides, none by default. Names the supergraph does not have mean nothing.
   */
  readonly labels?: ReadonlySet<string>
  /**
   * Numbers of the conditions of `graph.access` that the request meets, none by default. What is under
   * another one is not planned: it is null with an error. Only those that the operation names in
   * `accessConditions` matter.
   */
  readonly granted?: ReadonlySet<number>
  /**
   * Nothing is deferred, as if the operation had no `@defer`: its client takes the answer in one piece. The
   * schema that introspection shows has the directive all the same.
   */
  readonly isWhole?: boolean
  readonly stepLimit?: number
  /**
   * Called with the number of steps that planning took, also when the limit was reached. They are fewer where
   * parts of the graph were met before.
   */
  readonly onSteps?: (steps: number) => void
}

/** The parts of an operation that planning reads. */
export type PlannableOperation = Pick<Operation, 'graph' | 'document' | 'definition' | 'mayDefer'>

/**
 * The plan for these coerced variables and active labels, made anew each time. Throws a `PlanningError`.
 *
 * Only variables that the operation names in `conditions` and labels that it names in `overrideLabels`
 * matter, so a cache of plans keeps one for each combination of those.
 */
export function planOperation(
  { graph, document, definition, mayDefer }: PlannableOperation,
  variables: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): Plan {
  const budget = new Budget(options.stepLimit ?? DEFAULT_STEP_LIMIT)
  try {
    const { granted = new Set(), isWhole = false } = options
    const normalised = normaliseOperation(graph, document, definition, variables, budget, {
      mayDefer,
      isWhole,
      granted,
    })
    return planWithin(budget, graph, normalised, options.labels ?? new Set())
  } finally {
    options.onSteps?.(budget.spent)
  }
}

function planWithin(
  budget: Budget,
  graph: Graph,
  normalised: NormalisedOperation,
  labels: ReadonlySet<string>,
): Plan {
  const { queryGraph, memo } = learnedFacts(graph, labels)
  const commonMembers: CommonMembers = new Map()
  const isDeferred = normalised.deferred !== null
  const open = (maySplit: boolean) => openSearch({ queryGraph, memo, budget, commonMembers, maySplit })
  const search = open(isDeferred && normalised.kind === 'query')
  const roots = search.roots(normalised.rootType)
  findCommonMembers(
    queryGraph,
    search.entriesFrom,
    budget,
    roots.map((root) => root.node),
    normalised.selection,
    commonMembers,
  )
  const lastSearch = normalised.kind === 'query' ? search : open(isDeferred)
  const solve = (purpose: Purpose): readonly ObjectSolution[] =>
    normalised.kind === 'query'
      ? solveQuery(search, normalised, roots, purpose)
      : solveFieldByField(search, lastSearch, normalised, roots, purpose)
  const solutions = solve(INITIAL)
  const plan = makePlan(budget, graph, normalised, solutions)
  if (plan.unreachable.length > 0 || !solutions.some(hasLateLeaves)) return plan
  // Only the finished plan shows which calls of different places become one request. So the second best root
  // calls get a plan, too, which may have fewer requests.
  const other = solve({ ...INITIAL, isRootLed: false })
  if (sameRoots(solutions, other)) return plan
  const otherPlan = makePlan(budget, graph, normalised, other)
  return firstRequests(otherPlan) < firstRequests(plan) ? otherPlan : plan
}

/** How many requests the client waits for before it gets the initial result: all if nothing is deferred. */
function firstRequests({ fetches }: Plan): number {
  return fetches.reduce((count, { group }) => count + (group === 0 ? 1 : 0), 0)
}

/** Whether further calls give something that another root call might have given. */
function hasLateLeaves({ answers }: ObjectSolution): boolean {
  return answers.some(({ child }) => child !== null && child.lateLeaves > 0)
}

/** Whether the same subgraphs answer the root fields. */
function sameRoots(some: readonly ObjectSolution[], others: readonly ObjectSolution[]): boolean {
  const rootsOf = (solutions: readonly ObjectSolution[]) =>
    solutions.map(({ answers }) => answers.map(({ call }) => call?.node.sub)).join(';')
  return rootsOf(some) === rootsOf(others)
}

/** Makes the plan of a solution. */
function makePlan(
  budget: Budget,
  graph: Graph,
  normalised: NormalisedOperation,
  solutions: readonly ObjectSolution[],
): Plan {
  const builder = new Builder(graph, normalised.selection, budget)
  const unreachable = unreachableFields(
    graph,
    normalised.rootType,
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
  return writePlan(graph, normalised, builder, unreachable, budget)
}

function solveQuery(
  search: Search,
  operation: NormalisedOperation,
  roots: readonly EntryPoint[],
  purpose: Purpose,
): readonly ObjectSolution[] {
  const goals = rootGoals(operation)
  return goals.length === 0 ? [] : [search.query(roots, operation.rootType, goals, purpose)]
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

/**
 * Each root field of a mutation is answered by one subgraph: two that were asked for parts of it would both
 * do the change. The one root field of a subscription is answered by the subgraph that sends the events.
 *
 * What is deferred below a root field is fetched with its surroundings, before the next root field changes
 * it; only below the last one it may be fetched later.
 */
function solveFieldByField(
  search: Search,
  lastSearch: Search,
  operation: NormalisedOperation,
  roots: readonly EntryPoint[],
  purpose: Purpose,
): readonly ObjectSolution[] {
  const solutions: ObjectSolution[] = []
  let previous = -1
  const goals = goalsBeforeFailure(operation)
  for (const goal of goals) {
    const own = goal === goals.at(-1) ? lastSearch : search
    const alone = (entry: EntryPoint): ObjectSolution => own.mutationField(entry, operation.rootType, goal)
    let best: ObjectSolution | null = null
    for (const entry of [...roots].sort(
      (a, b) => Number(b.node.sub === previous) - Number(a.node.sub === previous),
    )) {
      const solution = alone(entry)
      if (best === null || isBetter(solution, best, purpose)) best = solution
    }
    if (best === null) continue
    solutions.push(best)
    previous = best.answers[0]?.call?.node.sub ?? previous
  }
  return solutions
}

function isBetter(a: ObjectSolution, b: ObjectSolution, { isRootLed }: Purpose): boolean {
  if (a.answers.length !== b.answers.length) return a.answers.length > b.answers.length
  if (a.unanswered.length !== b.unanswered.length) return a.unanswered.length < b.unanswered.length
  return a.cost < b.cost || (isRootLed && a.cost === b.cost && lateLeavesOf(a) < lateLeavesOf(b))
}

/** How many leaves further calls give. */
function lateLeavesOf({ answers }: ObjectSolution): number {
  return answers.reduce((sum, { child }) => sum + (child?.lateLeaves ?? 0), 0)
}

/**
 * The root fields of a mutation or subscription up to the first one that may not be seen and must not be
 * null: it fails, and "if a non-null root field fails, the remaining ones are not executed".
 */
function goalsBeforeFailure({ selection, rootType }: NormalisedOperation): readonly FieldGoal[] {
  const goals = selection.byType.get(rootType) ?? []
  const failed = goals.findIndex((goal) => goal.kind === 'denied' && goal.nonNull)
  return (failed < 0 ? goals : goals.slice(0, failed)).filter((goal) => goal.kind === 'field')
}

function rootGoals(operation: NormalisedOperation): readonly FieldGoal[] {
  return (operation.selection.byType.get(operation.rootType) ?? []).filter((goal) => goal.kind === 'field')
}

/** Merges, schedules and batches the calls of a draft, and writes it down. */
function writePlan(
  graph: Graph,
  operation: NormalisedOperation,
  builder: Builder,
  unreachable: readonly Unreachable[],
  budget: Budget,
): Plan {
  const isObject = (type: TypeId): boolean => typeOf(graph, type).kind === 'object'
  const calls = mergeCalls(builder.calls, isObject, budget)
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
  const fetches = batchCalls(graph, calls, providerOf, isObject, budget)
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
