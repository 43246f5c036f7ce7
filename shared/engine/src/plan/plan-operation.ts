/**
 * From an operation to its plan, stage by stage. Pure and deterministic.
 *
 *     normalise → search (search/) → build a draft, merge, schedule and batch its calls, and write it down
 *                                    (build/make-plan.ts)
 */
import type { Graph } from '../graph/graph.ts'
import { normaliseOperation } from '../operation/normalise/normalise.ts'
import type { Operation } from '../operation/operation.ts'
import type { FieldGoal, NormalisedOperation } from '../operation/normalise/normalised.ts'
import { makePlan, type PlanMaking } from './build/make-plan.ts'
import { Budget, DEFAULT_STEP_LIMIT } from '../work/planning-budget.ts'
import { PlanningError } from '../work/planning-error.ts'
import { findCommonMembers, type CommonMembers } from './search/common-members.ts'
import { INITIAL, type Purpose } from './search/goal-options.ts'
import type { Plan, PlanPreference } from './contract/plan.ts'
import { learnedFacts } from './search/learned-facts.ts'
import type { ObjectSolution, EntryPoint } from './search/solution.ts'
import { openSearch, type Search } from './search/search.ts'

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
  /**
   * A field that several subgraphs have may be asked of each of them where that is cheaper, not only where no
   * single one of them leads to all that is wanted. True by default.
   */
  readonly sharedFields?: boolean
  /** Few requests by default. */
  readonly prefer?: PlanPreference
  readonly stepLimit?: number
  /**
   * If a limit is reached while a better plan is looked for, the plan that there is already is taken. True by
   * default; where it is false, planning ends with a `PlanningError`, for whoever plans anew with more steps.
   */
  readonly takesFirst?: boolean
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
    return planWithin(budget, graph, normalised, options)
  } finally {
    options.onSteps?.(budget.spent)
  }
}

function planWithin(
  budget: Budget,
  graph: Graph,
  normalised: NormalisedOperation,
  { labels = new Set(), sharedFields = true, prefer = 'load', takesFirst = true }: PlanOptions,
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
  const making: PlanMaking = { graph, operation: normalised, prefer, budget }
  const solutions = solve(INITIAL)
  const first = makePlan(making, solutions)
  if (first.unreachable.length > 0) return first
  const orFirst = takesFirst ? orWithinLimits : orAny
  const plan = orFirst(first, () => planOfOtherRoots(making, first, solutions, solve))
  if (!sharedFields || isDeferred || plan.fetches.length < 2) return plan
  return orFirst(plan, () => {
    const shared = solutions.map((solution) =>
      search.shared(solution, normalised.kind === 'query' ? roots : []),
    )
    if (shared.every((solution, index) => solution === solutions[index])) return plan
    const sharedPlan = makePlan(making, shared)
    return sharedPlan.cost < plan.cost ? sharedPlan : plan
  })
}

function orAny(_plan: Plan, better: () => Plan): Plan {
  return better()
}

/** The plan that there is, if looking for a better one takes too much: it answers the operation. */
function orWithinLimits(plan: Plan, better: () => Plan): Plan {
  try {
    return better()
  } catch (error) {
    if (error instanceof PlanningError && error.code === 'PLANNING_LIMIT') return plan
    throw error
  }
}

/** The plan of a solution that begins with other root calls, if it has fewer requests. */
function planOfOtherRoots(
  making: PlanMaking,
  plan: Plan,
  solutions: readonly ObjectSolution[],
  solve: (purpose: Purpose) => readonly ObjectSolution[],
): Plan {
  if (!solutions.some(hasLateLeaves)) return plan
  // Only the finished plan shows which calls of different places become one request. So the second best root
  // calls get a plan, too, which may have fewer requests.
  const other = solve({ ...INITIAL, isRootLed: false })
  if (sameRoots(solutions, other)) return plan
  const otherPlan = makePlan(making, other)
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
