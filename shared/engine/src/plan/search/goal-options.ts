/** Lists the ways in which one goal can be answered from the entry points at hand. */
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { GoalOption } from './choose-options.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids/ids.ts'
import { MAX_CANDIDATES, Ranking, type Candidate } from './ranking.ts'
import { missingLeaves } from './unanswered.ts'
import { goalSource, NO_ASSUMPTIONS, type Assumptions } from './shared-calls.ts'
import type { FieldEdge, Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import {
  costOf,
  FIELD_COST,
  type EntryPoint,
  type SelectionSolution,
  STAGE_COST,
  type PossibleCall,
} from './solution.ts'

/** The delivery group that goals are answered for, and the assumptions that hold meanwhile. */
export type Purpose = {
  /** The delivery group that needs the answers. */
  readonly group: GroupId
  /** Goals are answered by calls of their own, not with the objects that were fetched already. */
  readonly isAgain: boolean
  /** Prefers the root call that answers the most leaves, among root calls of the same cost. */
  readonly isRootLed: boolean
  readonly assumptions: Assumptions
}

/** The purpose with which goals of the initial result are answered at first. */
export const INITIAL: Purpose = {
  group: INITIAL_GROUP,
  isAgain: false,
  isRootLed: true,
  assumptions: NO_ASSUMPTIONS,
}

/** The other parts of a search that options of goals are found with. */
export type OptionParts = {
  /** Answers a selection below a field. */
  readonly solveSelection: (node: Node, selection: Selection, group: GroupId) => SelectionSolution
  /** The call for a field with `@requires`: `EntryPoints.forRequires`. */
  readonly entryForRequires: (
    entries: readonly EntryPoint[],
    object: TypeId,
    node: Node,
    edge: FieldEdge,
    name: string,
  ) => EntryPoint | null
  /** The call of an interface object for objects known to be of the type: `EntryPoints.typed`. */
  readonly typedEntry: (entries: readonly EntryPoint[], object: TypeId, node: Node) => EntryPoint | null
}

/** Lists the options of single goals. */
export class GoalOptions {
  readonly #queryGraph: QueryGraph
  readonly #budget: Budget
  readonly #ranking: Ranking
  readonly #parts: OptionParts

  constructor(queryGraph: QueryGraph, budget: Budget, parts: OptionParts) {
    this.#queryGraph = queryGraph
    this.#budget = budget
    this.#ranking = new Ranking(queryGraph, budget)
    this.#parts = parts
  }

  /** The options of a goal; only the preferred one's where a subgraph is assumed to answer the goal. */
  of(
    entries: readonly EntryPoint[],
    object: TypeId,
    goal: FieldGoal,
    purpose: Purpose,
  ): readonly GoalOption[] {
    return preferred(this.#all(entries, object, goal, purpose), goal, purpose)
  }

  #all(
    entries: readonly EntryPoint[],
    object: TypeId,
    goal: FieldGoal,
    purpose: Purpose,
  ): readonly GoalOption[] {
    const own = purpose.isAgain ? null : this.#optionOfSource(entries, goal, purpose.group)
    if (own !== null) return [own]
    const options: GoalOption[] = []
    let complete = false
    const candidates = this.#ranking.candidates(entries, goal)
    for (const candidate of purpose.isAgain
      ? this.#candidatesAgain(entries, goal, candidates, purpose)
      : candidates) {
      if (complete && options.length >= MAX_CANDIDATES) break
      const option = this.#option(entries, object, goal, candidate, purpose)
      if (option === null) continue
      complete ||= option.missing === 0
      options.push(option)
    }
    return options
  }

  /**
   * The nodes that may answer a goal by a call of its own, for a deferred fragment. A field that the source
   * has is asked of the source's subgraph: another subgraph may not know the object, and would not have been
   * asked without `@defer`. Other subgraphs are asked only for fields that the source does not have.
   */
  #candidatesAgain(
    entries: readonly EntryPoint[],
    goal: FieldGoal,
    candidates: readonly Candidate[],
    { group }: Purpose,
  ): readonly Candidate[] {
    const [source] = entries
    if (source === undefined || source.call !== null) return candidates
    const isOwn = ({ entry }: Candidate) => entry.node.sub === source.node.sub
    if (goal.elsewhere === true) return candidates.filter((candidate) => !isOwn(candidate))
    const edge = this.#queryGraph.edge(source.node, goal.name)
    if (edge === null || edge.requires !== null) return candidates
    if (edge.to !== null && goal.child !== null) {
      const { unanswered } = this.#parts.solveSelection(edge.to, goal.child, group)
      if (unanswered !== null && missingLeaves(unanswered) === missingLeaves(goal.child)) return candidates
    }
    return candidates.filter((candidate) => candidate.entry.call !== null && isOwn(candidate))
  }

  /**
   * Options for a field that needs a call of its own (see isolated-fields.ts): an interface object is asked
   * only for objects that are known to be of the type.
   */
  isolated(
    entries: readonly EntryPoint[],
    object: TypeId,
    goal: FieldGoal,
    purpose: Purpose,
  ): readonly GoalOption[] {
    const typed = entries.flatMap((entry) =>
      entry.node.interfaceObject ? (this.#parts.typedEntry(entries, object, entry.node) ?? []) : [entry],
    )
    const candidates = this.#ranking.candidates(typed, goal)
    const options = candidates.flatMap(
      (candidate) => this.#option(entries, object, goal, candidate, purpose) ?? [],
    )
    return options.some((option) => option.missing === 0)
      ? preferred(options, goal, purpose)
      : this.of(entries, object, goal, purpose)
  }

  /**
   * The option of the source itself, if the source has the field with everything below it; else null. No
   * other option can be cheaper.
   */
  #optionOfSource(entries: readonly EntryPoint[], goal: FieldGoal, group: GroupId): GoalOption | null {
    const [entry] = entries
    if (entry === undefined || entry.call !== null) return null
    this.#budget.step()
    const edge = this.#queryGraph.edge(entry.node, goal.name)
    if (edge === null || edge.requires !== null || (goal.child === null) !== (edge.to === null)) return null
    const child =
      edge.to === null || goal.child === null ? null : this.#parts.solveSelection(edge.to, goal.child, group)
    if (child !== null && (child.unanswered !== null || child.fetches > 0)) return null
    return {
      call: null,
      needs: entry.needs,
      edge,
      child,
      cost: FIELD_COST + (child?.cost ?? 0),
      lateLeaves: 0,
      missing: 0,
    }
  }

  #option(
    entries: readonly EntryPoint[],
    object: TypeId,
    goal: FieldGoal,
    { edge, entry }: Candidate,
    { group, isRootLed }: Purpose,
  ): GoalOption | null {
    this.#budget.step()
    const chosen =
      edge.requires === null
        ? entry
        : this.#parts.entryForRequires(entries, object, entry.node, edge, goal.name)
    if (chosen === null) return null
    const child =
      edge.to === null || goal.child === null ? null : this.#parts.solveSelection(edge.to, goal.child, group)
    const delay = child === null ? 0 : STAGE_COST * (chosen.call?.depth ?? 0) * child.fetches
    return {
      call: chosen.call,
      needs: chosen.needs,
      edge,
      child,
      cost: FIELD_COST + (child?.cost ?? 0) + delay,
      lateLeaves: chosen.call?.kind === 'root' && isRootLed ? (child?.lateLeaves ?? 0) : 0,
      missing: missingLeaves(child?.unanswered ?? null),
    }
  }

  /**
   * The option that answers most of what another subgraph left open, and then the cheapest; null if none
   * answers any.
   */
  bestForRest(
    entries: readonly EntryPoint[],
    object: TypeId,
    rest: FieldGoal,
    open: ReadonlySet<PossibleCall>,
    purpose: Purpose,
  ): GoalOption | null {
    if (rest.whole === null) return null
    const wanted = missingLeaves(rest.child)
    const price = (option: GoalOption): number =>
      option.cost + costOf([...option.needs].filter((call) => !open.has(call)))
    let best: GoalOption | null = null
    for (const option of this.of(entries, object, rest, purpose)) {
      if (option.missing >= wanted) continue
      const better =
        best === null ||
        option.missing < best.missing ||
        (option.missing === best.missing && price(option) < price(best))
      if (better) best = option
    }
    return best
  }
}

/** Only the options of who is assumed to answer the goal, if they have everything below the field. */
function preferred(
  options: readonly GoalOption[],
  goal: FieldGoal,
  { assumptions }: Purpose,
): readonly GoalOption[] {
  const wanted = assumptions.from.get(goal)
  if (wanted === undefined) return options
  const some = options.filter(({ call, missing }) => goalSource(call) === wanted && missing === 0)
  return some.length > 0 ? some : options
}
