/**
 * Asks one field of several subgraphs at once, where each of them then gives a part of what is wanted below.
 *
 * Subgraphs that resolve the same field of the same object give the same result: that is what `@shareable`
 * says. So where A and B both have `node`, B need not be asked for its part by a key that A gives:
 *
 *     { node { a b } }      A: { node { a id } } ──key "id"──▶ B: { ... on Node { b } }      two in a row
 *                           A: { node { a } }     B: { node { b } }                          two at once
 *
 * First the operation is solved as if one subgraph answered each field. Then, from the root down, fields with
 * further calls below are divided among the subgraphs that have them, wherever that makes cheaper requests.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import { INITIAL_GROUP, type TypeId } from '../../ids/ids.ts'
import type { FieldEdge, Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import { DividedSelections, MAX_SOURCES } from './divided-selections.ts'
import { wholeOf } from './reduced-selections.ts'
import { priceOfTypes } from './selection-price.ts'
import { requestsCost } from './solution-requests.ts'
import {
  byDepth,
  costOf,
  type EntryPoint,
  type FieldAnswer,
  FIELD_COST,
  type ObjectSolution,
  type PossibleCall,
  type SelectionSolution,
  STAGE_COST,
} from './solution.ts'

/** Most divided fields of one object that are weighed one by one; more are divided all or none. */
const MAX_WEIGHED = 16

/** A subgraph that has the field of a goal. */
type Source = { readonly entry: EntryPoint; readonly edge: FieldEdge; readonly to: Node }

/** A goal, and the answers of several subgraphs that are its answer together. */
type DividedGoal = { readonly goal: FieldGoal; readonly answers: readonly FieldAnswer[] }

/** The other parts of a search that fields are divided with. */
export type SharedSourcesParts = {
  /** The nodes from which objects of a type can be asked for more: `EntryPoints.from`. */
  readonly entriesFrom: (source: Node, object: TypeId) => readonly EntryPoint[]
  /** Answers a selection from one node. */
  readonly solveSelection: (node: Node, selection: Selection) => SelectionSolution
}

/** Divides the fields of one operation among the subgraphs that have them. */
export class SharedSources {
  readonly #queryGraph: QueryGraph
  readonly #budget: Budget
  readonly #divided: DividedSelections
  readonly #parts: SharedSourcesParts
  readonly #improved = new Map<SelectionSolution, SelectionSolution>()

  constructor(
    queryGraph: QueryGraph,
    budget: Budget,
    members: ReadonlyMap<Selection, ReadonlySet<TypeId>>,
    parts: SharedSourcesParts,
  ) {
    this.#queryGraph = queryGraph
    this.#budget = budget
    this.#divided = new DividedSelections(queryGraph, budget, members)
    this.#parts = parts
  }

  /** Returns the solution itself, or a cheaper one for the same goals. */
  improve(solution: ObjectSolution, entries: readonly EntryPoint[]): ObjectSolution {
    return this.#improveBelow(this.#improveHere(solution, entries))
  }

  /** Divides the goals of one object. */
  #improveHere(solution: ObjectSolution, entries: readonly EntryPoint[]): ObjectSolution {
    const divided: DividedGoal[] = []
    for (const [goal, answers] of Map.groupBy(solution.answers, (answer) => wholeOf(answer.goal))) {
      const one = this.#divide(answers, entries, goal)
      if (one !== null) divided.push(one)
    }
    if (divided.length === 0) return solution
    let best = solution
    let cost = requestsCost([solution], this.#budget)
    const consider = (some: readonly DividedGoal[]): boolean => {
      const other = withDivided(solution, some)
      const otherCost = requestsCost([other], this.#budget)
      if (otherCost >= cost) return false
      best = other
      cost = otherCost
      return true
    }
    let kept = consider(divided) ? divided : []
    if (divided.length === 1 || divided.length > MAX_WEIGHED) return best
    // One field may better have one source though the others are divided; or be divided though they are not.
    for (const one of divided) {
      const some = kept.includes(one) ? kept.filter((other) => other !== one) : [...kept, one]
      if (consider(some)) kept = some
    }
    return best
  }

  #improveBelow(solution: ObjectSolution): ObjectSolution {
    let isChanged = false
    const answers = solution.answers.map((answer) => {
      if (answer.child === null || answer.child.fetches === 0) return answer
      const child = this.#improveSelection(answer.child)
      isChanged ||= child !== answer.child
      return { ...answer, child }
    })
    return isChanged ? withAnswers(solution, answers) : solution
  }

  #improveSelection(solution: SelectionSolution): SelectionSolution {
    const known = this.#improved.get(solution)
    if (known !== undefined) return known
    const { node, byType } = solution
    const improved = new Map<TypeId, ObjectSolution>()
    for (const [object, one] of byType) {
      this.#budget.step()
      const canDivide = !node.interfaceObject && one.calls.length > 0
      const entries = canDivide
        ? this.#parts.entriesFrom(this.#queryGraph.asObject(node, object), object)
        : []
      improved.set(object, this.improve(one, entries))
    }
    const result = this.#isCheaper(improved, byType)
      ? {
          ...solution,
          byType: improved,
          ...priceOfTypes(improved, INITIAL_GROUP),
          depth: [...improved.values()].reduce((most, { depth }) => Math.max(most, depth), 0),
        }
      : solution
    this.#improved.set(solution, result)
    return result
  }

  /** Whether the requests of all object types together got cheaper, and not only those of single types. */
  #isCheaper(
    improved: ReadonlyMap<TypeId, ObjectSolution>,
    solutions: ReadonlyMap<TypeId, ObjectSolution>,
  ): boolean {
    if ([...improved].every(([object, one]) => one === solutions.get(object))) return false
    return requestsCost(improved.values(), this.#budget) < requestsCost(solutions.values(), this.#budget)
  }

  /** Null if the goal cannot be divided, or if nothing is fetched below it anyway. */
  #divide(
    known: readonly FieldAnswer[],
    entries: readonly EntryPoint[],
    goal: FieldGoal,
  ): DividedGoal | null {
    const { child } = goal
    const [first] = known
    if (child === null || first === undefined) return null
    if (known.every((answer) => (answer.child?.fetches ?? 0) === 0)) return null
    const sources = this.#sourcesOf(entries, goal, first.call)
    if (sources.length < 2) return null
    const nodes = sources.map(({ to }) => to)
    const chosen = this.#divided.covering(child, nodes).flatMap((index) => sources[index] ?? [])
    if (chosen.length < 2) return null
    const parts = this.#divided.parts(
      child,
      chosen.map(({ to }) => to),
    )
    const divided: FieldAnswer[] = []
    for (const [index, { entry, edge, to }] of chosen.entries()) {
      const part = parts[index]
      if (part === null || part === undefined) continue
      const solved = this.#parts.solveSelection(to, part)
      if (solved.unanswered !== null) return null
      divided.push({ goal: this.#divided.goalOf(goal, part), call: entry.call, edge, child: solved })
    }
    return divided.length < 2 ? null : { goal, answers: divided }
  }

  /** The subgraphs that have the field; the one that answers it so far comes first. */
  #sourcesOf(entries: readonly EntryPoint[], goal: FieldGoal, first: PossibleCall | null): readonly Source[] {
    this.#budget.step(entries.length / 16)
    const sources: Source[] = []
    for (const entry of entries) {
      if (entry.node.interfaceObject) continue
      const edge = this.#queryGraph.edge(entry.node, goal.name)
      if (edge === null || edge.to === null || edge.requires !== null || edge.to.interfaceObject) continue
      const source = { entry, edge, to: edge.to }
      if (entry.call === first) sources.unshift(source)
      else sources.push(source)
    }
    return sources[0]?.entry.call === first ? sources.slice(0, MAX_SOURCES) : []
  }
}

/** The solution with some of its goals answered by several subgraphs. */
function withDivided(solution: ObjectSolution, divided: readonly DividedGoal[]): ObjectSolution {
  const goals = new Set(divided.map(({ goal }) => goal))
  return withAnswers(
    {
      ...solution,
      unanswered: solution.unanswered.filter((goal) => goal.kind !== 'field' || !goals.has(wholeOf(goal))),
    },
    [
      ...solution.answers.filter(({ goal }) => !goals.has(wholeOf(goal))),
      ...divided.flatMap(({ answers }) => answers),
    ],
  )
}

/** The solution with other answers, and the calls that these need. */
function withAnswers(solution: ObjectSolution, answers: readonly FieldAnswer[]): ObjectSolution {
  const calls = new Set<PossibleCall>()
  for (const call of solution.calls) if (call.entity?.tellsType === true) addWithInputs(calls, call)
  let cost = 0
  let depth = 0
  for (const { call, child } of answers) {
    if (call !== null) addWithInputs(calls, call)
    const delay = STAGE_COST * (call?.depth ?? 0) * (child?.fetches ?? 0)
    cost += FIELD_COST + (child?.cost ?? 0) + delay
    depth = Math.max(depth, (call?.depth ?? 0) + (child?.depth ?? 0))
  }
  for (const call of calls) depth = Math.max(depth, call.depth)
  return { ...solution, answers, calls: byDepth(calls), cost: cost + costOf(calls), depth }
}

/** Adds a call and those that it waits for. */
function addWithInputs(calls: Set<PossibleCall>, call: PossibleCall): void {
  if (calls.has(call)) return
  calls.add(call)
  if (call.entity === null) return
  if (call.entity.typeCall !== null) addWithInputs(calls, call.entity.typeCall)
  for (const input of call.entity.inputs) if (input.call !== null) addWithInputs(calls, input.call)
}
