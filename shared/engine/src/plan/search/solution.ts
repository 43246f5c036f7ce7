/** What the search finds: which subgraph answers each goal of each object type, and which visits that takes. */
import type { Sel } from '../../graph/compiled-graph.ts'
import type { FieldGoal, Goal, Selection } from '../../operation/normalised.ts'
import type { FieldEdge, Node } from './query-graph.ts'
import type { GroupId, TypeId } from '../../ids.ts'

/** A call of a subgraph for the objects of a place: a root call or an entity call. */
export type Visit = {
  readonly id: number
  readonly kind: 'root' | 'entity'
  readonly node: Node
  /** Null for a root call. */
  readonly entity: EntityLookup | null
  /** 1 if it depends on the source of the place alone. Visits it depends on have a smaller depth. */
  readonly depth: number
  /** Visits of one place with the same number become one request. */
  readonly call: number
}

export type EntityLookup = {
  readonly key: { readonly text: string; readonly sel: Sel }
  readonly repType: TypeId
  readonly requires: { readonly text: string; readonly sel: Sel } | null
  /** The field whose requires these are, for the printed plan. */
  readonly field: string | null
  readonly discovers: boolean
  /** Made only for objects known to be of the type: waits for whatever tells. */
  readonly typed: boolean
  /** Must be known beforehand, where the source is an interface object. */
  readonly discovery: Visit | null
  /** Where key and requires fields come from. */
  readonly inputs: readonly FieldAnswer[]
}

/** A subgraph's object that is at hand at a place, at the price of `needs`. */
export type EntryPoint = {
  readonly node: Node
  /** Null: the source itself. */
  readonly visit: Visit | null
  readonly needs: ReadonlySet<Visit>
  readonly cost: number
}

export type FieldAnswer = {
  readonly goal: FieldGoal
  /** Null: answered by the source. */
  readonly visit: Visit | null
  readonly edge: FieldEdge
  readonly child: SelectionSolution | null
}

/** The node that what is below the field is answered from: another one than the edge leads to, where that comes to the same. */
export function targetOf({ edge, child }: FieldAnswer): Node | null {
  return child?.node ?? edge.to
}

/** The solution for one object type at a place. */
export type ObjectSolution = {
  readonly answers: readonly FieldAnswer[]
  /** A visit comes after those it depends on. */
  readonly visits: readonly Visit[]
  readonly cost: number
  readonly depth: number
  /** With a `__typename` where the objects' type must be known, and nobody tells it. */
  readonly unanswered: readonly Goal[]
  /** What is asked for by calls of its own, for other groups. In no cost: it keeps nobody waiting. */
  readonly deferred: readonly DeferredSolution[]
  /** Goals of other groups that are answered with those of this one. */
  readonly fetchedEarly: FetchedEarly | null
}

export type DeferredSolution = { readonly group: GroupId; readonly solution: ObjectSolution }
export type FetchedEarly = ReadonlyMap<GroupId, readonly FieldGoal[]>

/** What answering a place costs, with all below it. */
export type SolutionPrice = {
  readonly cost: number
  /** Fetches in the whole subtree: what a deeper start costs extra. */
  readonly fetches: number
  /** Leaves that come with none of these objects, but by further calls. */
  readonly late: number
}

/** The solutions for all object types of a place, from one source. */
export type SelectionSolution = SolutionPrice & {
  readonly node: Node
  readonly selection: Selection
  readonly byType: ReadonlyMap<TypeId, ObjectSolution>
  readonly depth: number
  /** What could not be had from here; null when nothing is missing. */
  readonly unanswered: Selection | null
  /** Goals of other groups that may be cut further up; null where there are none, or none of them may. */
  readonly fetchedEarly: FetchedEarly | null
}

export const FETCH_COST = 1000
export const STAGE_COST = 100
export const FIELD_COST = 1
export const MISSING_COST = 1_000_000

/** What each leaf costs that a root leaves to further calls: it decides between roots that cost the same otherwise. */
export const LATE_COST = 1 / 1024

/** What a further visit in a request costs, next to the request itself. */
const PART_COST = 10

const MAX_SUBGRAPHS = 65_536

export function callOf(kind: Visit['kind'], sub: number, depth: number): number {
  return (2 * depth + (kind === 'root' ? 1 : 0)) * MAX_SUBGRAPHS + sub
}

export function visitCost(visit: Visit): number {
  return FETCH_COST + STAGE_COST * visit.depth
}

/** `calls` are made anyway. */
export function costOf(visits: Iterable<Visit>, calls: Iterable<number> = []): number {
  const open = new OpenVisits(calls)
  let cost = 0
  for (const visit of visits) cost += open.add(visit)
  return cost
}

export function callCount(visits: Iterable<Visit>): number {
  const calls = new Set<number>()
  for (const visit of visits) calls.add(visit.call)
  return calls.size
}

/** Visits that are wanted, each by some number of goals, and what that costs. */
export class OpenVisits {
  readonly #users = new Map<Visit, number>()
  readonly #calls: Map<number, number>

  /** `calls` are made anyway. */
  constructor(calls: Iterable<number> = []) {
    this.#calls = new Map([...calls].map((call) => [call, 1]))
  }

  has(visit: Visit): boolean {
    return (this.#users.get(visit) ?? 0) > 0
  }

  /** Gives what it costs on top. */
  add(visit: Visit): number {
    const users = this.#users.get(visit) ?? 0
    this.#users.set(visit, users + 1)
    if (users > 0) return 0
    const visits = this.#calls.get(visit.call) ?? 0
    this.#calls.set(visit.call, visits + 1)
    return visits > 0 ? PART_COST : visitCost(visit)
  }

  /** Gives what is saved. */
  remove(visit: Visit): number {
    const users = (this.#users.get(visit) ?? 1) - 1
    this.#users.set(visit, users)
    if (users > 0) return 0
    const visits = (this.#calls.get(visit.call) ?? 1) - 1
    this.#calls.set(visit.call, visits)
    return visits > 0 ? PART_COST : visitCost(visit)
  }
}

/** Among equals the order is that in which they came to be wanted: ids depend on what was planned before. */
export function byDepth(visits: Iterable<Visit>): readonly Visit[] {
  return [...visits].sort(
    (a, b) =>
      a.depth - b.depth ||
      a.node.sub - b.node.sub ||
      a.node.type - b.node.type ||
      Number(isRequiring(a)) - Number(isRequiring(b)),
  )
}

function isRequiring({ entity }: Visit): boolean {
  return entity !== null && entity.requires !== null
}
