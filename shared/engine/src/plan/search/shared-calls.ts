/**
 * Makes the object types of one selection ask the same subgraphs.
 *
 * Each type is solved by itself first, in the cheapest way. Two types may then use different subgraphs of
 * equal cost, where one request would have served both; and a field common to all types may come from two
 * subgraphs, though one of them has it for all, and what is fetched below it would be fetched once. Both
 * cases are tried once more, assuming the calls that the other types make.
 */
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'
import { type ObjectSolution, type PossibleCall, type SolutionPrice, STAGE_COST } from './solution.ts'

/** Who answers a goal: a call of this subgraph, or the objects that are there already. */
export type GoalSource = SubgraphId | typeof OBJECTS_THERE

/** The objects that are there already: no call is made. */
export const OBJECTS_THERE = -1

/**
 * Assumptions while one type is solved again. `open` holds the requests that are made anyway. `from` names
 * who shall answer a goal, if possible.
 */
export type Assumptions = {
  readonly open: ReadonlySet<number>
  readonly from: ReadonlyMap<FieldGoal, GoalSource>
}

/** Returns who answers a goal by this call, or without a call. */
export function goalSource(call: PossibleCall | null): GoalSource {
  return call?.node.sub ?? OBJECTS_THERE
}

/** The object type is answered by itself. */
export const NO_ASSUMPTIONS: Assumptions = { open: new Set(), from: new Map() }

type ObjectSolutions = ReadonlyMap<TypeId, ObjectSolution>

/** At most so many types of one selection are solved again; beyond that they keep the solutions they have. */
const MAX_SOLVED_AGAIN = 256

/** Improves the solutions of all object types of one selection. */
export class SharedCalls {
  readonly #budget: Budget
  readonly #price: (solutions: ObjectSolutions) => SolutionPrice
  readonly #solve: (object: TypeId, assumptions: Assumptions) => ObjectSolution
  #solvedAgain = 0

  /** `price` is the price of all types together. `solve` solves the goals of one type. */
  constructor(
    budget: Budget,
    price: (solutions: ObjectSolutions) => SolutionPrice,
    solve: (object: TypeId, assumptions: Assumptions) => ObjectSolution,
  ) {
    this.#budget = budget
    this.#price = price
    this.#solve = solve
  }

  /** The same types with the same goals, in as many calls or fewer. */
  improve(solutions: ObjectSolutions): ObjectSolutions {
    return this.#withOneSourcePerGoal(this.#withFewerRequests(solutions))
  }

  /** Solves the other types again, assuming the requests that one type makes. */
  #withFewerRequests(solutions: ObjectSolutions): ObjectSolutions {
    const sets = requestSets(solutions, this.#budget)
    if (sets.length < 2) return solutions
    let best = solutions
    let price = this.#price(solutions)
    for (const open of sets) {
      const others = [...solutions].filter(
        ([, solution]) => !solution.calls.every(({ request }) => open.has(request)),
      )
      const tried = this.#solveAgain(
        solutions,
        others.map(([object]) => object),
        { open, from: NO_ASSUMPTIONS.from },
      )
      if (tried === null) continue
      const other = this.#price(tried)
      if (other.fetches < price.fetches && other.cost < price.cost) {
        best = tried
        price = other
      }
    }
    return best
  }

  /** Lets one source answer a goal for all types, if that takes no further request. */
  #withOneSourcePerGoal(solutions: ObjectSolutions): ObjectSolutions {
    let best = solutions
    for (const [goal, bySource] of goalsOfSeveralSources(solutions, this.#budget)) {
      const price = this.#price(best)
      const open = new Set([...best.values()].flatMap(({ calls }) => calls.map(({ request }) => request)))
      for (const [source, types] of [...bySource].sort(
        ([a, some], [b, others]) => others.length - some.length || a - b,
      )) {
        const rest = [...bySource.values()].flat().filter((type) => !types.includes(type))
        const tried = this.#solveAgain(best, rest, { open, from: new Map([[goal, source]]) })
        if (tried === null || !rest.every((type) => isFrom(tried.get(type), goal, source))) continue
        const other = this.#price(tried)
        if (other.fetches > price.fetches || other.cost >= price.cost + STAGE_COST) continue
        best = tried
        break
      }
    }
    return best
  }

  /**
   * The solutions with some types solved again under the assumptions. Null if a goal would be unanswered that
   * was answered, or if enough was tried.
   */
  #solveAgain(
    solutions: ObjectSolutions,
    objects: readonly TypeId[],
    assumptions: Assumptions,
  ): ObjectSolutions | null {
    this.#solvedAgain += objects.length
    if (this.#solvedAgain > MAX_SOLVED_AGAIN) return null
    const tried = new Map(solutions)
    for (const object of objects) {
      const solution = this.#solve(object, assumptions)
      if (solution.unanswered.length > (solutions.get(object)?.unanswered.length ?? 0)) return null
      tried.set(object, solution)
    }
    return tried
  }
}

/** The different sets of requests that types make, those of most types first. */
function requestSets(solutions: ObjectSolutions, budget: Budget): readonly ReadonlySet<number>[] {
  const sets = new Map<string, { readonly requests: ReadonlySet<number>; types: number }>()
  for (const { calls } of solutions.values()) {
    budget.step(calls.length / 16)
    const requests = new Set(calls.map(({ request }) => request))
    if (requests.size === 0) continue
    const key = [...requests].sort((a, b) => a - b).join()
    const known = sets.get(key) ?? { requests, types: 0 }
    sets.set(key, known)
    known.types++
  }
  return [...sets.values()].sort((a, b) => b.types - a.types).map(({ requests }) => requests)
}

/** Goals that types get from different sources, each with its types by source. */
function goalsOfSeveralSources(
  solutions: ObjectSolutions,
  budget: Budget,
): readonly (readonly [FieldGoal, ReadonlyMap<GoalSource, readonly TypeId[]>])[] {
  const found = new Map<FieldGoal, Map<GoalSource, TypeId[]>>()
  for (const [object, { answers }] of solutions) {
    budget.step(answers.length / 16)
    for (const { goal, call } of answers) {
      // A leaf that the objects have is never asked for elsewhere.
      if (goal.whole !== null || (call === null && goal.child === null)) continue
      const source = goalSource(call)
      const bySource = found.get(goal) ?? new Map<GoalSource, TypeId[]>()
      found.set(goal, bySource)
      bySource.set(source, [...(bySource.get(source) ?? []), object])
    }
  }
  return [...found].filter(([, bySource]) => bySource.size > 1)
}

function isFrom(solution: ObjectSolution | undefined, goal: FieldGoal, source: GoalSource): boolean {
  const answer = solution?.answers.find((one) => one.goal === goal)
  return answer !== undefined && goalSource(answer.call) === source
}
