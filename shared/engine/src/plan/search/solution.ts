/**
 * The data that a search finds: which subgraph answers each goal of each object type, and by which calls.
 *
 *     SelectionSolution      how a selection is answered from one node
 *       ObjectSolution       for each object type: the calls it takes, and
 *         FieldAnswer        for each goal the call that answers it, and the SelectionSolution below it
 */
import type { FieldSet } from '../../graph/compiled/compiled-graph.ts'
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import type { FieldEdge, Node } from '../../graph/moves/query-graph.ts'
import type { GroupId, TypeId } from '../../ids/ids.ts'
import { compareTexts } from '../../graph/type-order.ts'

/**
 * A call of one subgraph for the objects of one place, which a solution may make: a root call or an entity
 * call.
 */
export type PossibleCall = {
  readonly id: number
  readonly kind: 'root' | 'entity'
  readonly node: Node
  /** Null for a root call. */
  readonly entity: EntityLookup | null
  /**
   * 1 if the call needs nothing but the objects that are there; else 1 more than the depth of the calls that
   * it waits for.
   */
  readonly depth: number
  /** Calls of one place with the same number become one request. */
  readonly request: number
}

/** The key and other fields that an entity call sends, and their sources. */
export type EntityLookup = {
  readonly key: { readonly text: string; readonly fieldSet: FieldSet }
  /** The type that representations name as `__typename`. */
  readonly representationType: TypeId
  readonly requires: { readonly text: string; readonly fieldSet: FieldSet } | null
  /** The field whose requires these are, for the printed plan. */
  readonly field: string | null
  /** The call tells the runtime type of an interface object's objects. */
  readonly tellsType: boolean
  /** The call is made only for objects of a known type, so it waits for the call that tells the type. */
  readonly typed: boolean
  /**
   * The call that tells the runtime type, which an interface object does not know; null if it need not be
   * known.
   */
  readonly typeCall: PossibleCall | null
  /** Where the fields of the key and of `@requires` come from. */
  readonly inputs: readonly FieldAnswer[]
}

/** A node whose fields can be selected at a place, once the calls in `needs` are made. */
export type EntryPoint = {
  readonly node: Node
  /** Null for the source itself, whose objects are there already. */
  readonly call: PossibleCall | null
  readonly needs: ReadonlySet<PossibleCall>
  readonly cost: number
}

/** The call that answers a goal, and the solution of what is wanted below it. */
export type FieldAnswer = {
  readonly goal: FieldGoal
  /** The call, or null if the source itself answers the goal. */
  readonly call: PossibleCall | null
  readonly edge: FieldEdge
  readonly child: SelectionSolution | null
}

/**
 * The node that answers what is below the field. An equal solution may have replaced the node that the edge
 * leads to.
 */
export function targetOf({ edge, child }: FieldAnswer): Node | null {
  return child?.node ?? edge.to
}

/** How the goals of one object type are answered. */
export type ObjectSolution = {
  readonly answers: readonly FieldAnswer[]
  /** A call comes after those it depends on. */
  readonly calls: readonly PossibleCall[]
  readonly cost: number
  readonly depth: number
  /**
   * Goals that nobody answers; with `TYPENAME` if the type of the objects must be known and nobody tells it.
   */
  readonly unanswered: readonly Goal[]
  /**
   * Goals of other delivery groups that have calls of their own. They count in no cost: nobody waits for
   * them.
   */
  readonly deferred: readonly DeferredSolution[]
  /** Goals of other delivery groups that are fetched together with those of this one. */
  readonly fetchedEarly: FetchedEarly | null
}

/** How the goals of a delivery group are answered by calls of their own. */
export type DeferredSolution = { readonly group: GroupId; readonly solution: ObjectSolution }
/** Goals by the delivery group that owns them. */
export type FetchedEarly = ReadonlyMap<GroupId, readonly FieldGoal[]>

/** The cost of a solution, with everything below it. */
export type SolutionPrice = {
  readonly cost: number
  /** Fetches in the whole subtree. Each of them is later if the subtree starts later. */
  readonly fetches: number
  /** Leaves that do not come with the objects themselves, but by further calls. */
  readonly lateLeaves: number
}

/** How a selection is answered when its objects come from one node. */
export type SelectionSolution = SolutionPrice & {
  readonly node: Node
  readonly selection: Selection
  readonly byType: ReadonlyMap<TypeId, ObjectSolution>
  readonly depth: number
  /** The part of the selection that nobody answers from here; null when all is answered. */
  readonly unanswered: Selection | null
  /** Goals of other delivery groups that may still be split off further up; null if there are none. */
  readonly fetchedEarly: FetchedEarly | null
}

/** The cost of a request. */
export const FETCH_COST = 1000
/** The cost of each request that another one must wait for. */
export const STAGE_COST = 100
/** The cost of a field, wherever it comes from. */
export const FIELD_COST = 1
/** The cost of each leaf that is not answered: more than any number of requests. */
export const MISSING_COST = 1_000_000

/**
 * The cost of each leaf that a root call leaves to further calls. It decides between root calls of the same
 * cost.
 */
export const LATE_LEAF_COST = 1 / 1024

/** The cost of a further call in a request, next to the request itself. */
const PART_COST = 10

const MAX_SUBGRAPHS = 65_536

/** The number of the request that a call would be part of: equal for calls that become one request. */
export function requestNumber(kind: PossibleCall['kind'], sub: number, depth: number): number {
  return (2 * depth + (kind === 'root' ? 1 : 0)) * MAX_SUBGRAPHS + sub
}

/** The number of the same request, made after `depth` other ones. */
export function requestsLater(request: number, depth: number): number {
  return request + 2 * depth * MAX_SUBGRAPHS
}

/** How many requests a request waits for, and itself. */
export function stageOf(request: number): number {
  return Math.floor(request / (2 * MAX_SUBGRAPHS))
}

/** Returns the cost of a call in a request of its own. */
export function callCost(call: PossibleCall): number {
  return FETCH_COST + STAGE_COST * call.depth
}

/** Returns the cost of calls together. `requests` are made anyway. */
export function costOf(calls: Iterable<PossibleCall>, requests: Iterable<number> = []): number {
  const open = new CallsInUse(requests)
  let cost = 0
  for (const call of calls) cost += open.add(call)
  return cost
}

/** How many requests calls become. */
export function requestCount(calls: Iterable<PossibleCall>): number {
  const requests = new Set<number>()
  for (const call of calls) requests.add(call.request)
  return requests.size
}

/** A set of calls, each used by some number of goals, and what they cost. */
export class CallsInUse {
  readonly #users = new Map<PossibleCall, number>()
  /** How many calls each request has. */
  readonly #requests: Map<number, number>

  /** `requests` are made anyway. */
  constructor(requests: Iterable<number> = []) {
    this.#requests = new Map([...requests].map((request) => [request, 1]))
  }

  has(call: PossibleCall): boolean {
    return (this.#users.get(call) ?? 0) > 0
  }

  /** Returns by how much the cost grows. */
  add(call: PossibleCall): number {
    const users = this.#users.get(call) ?? 0
    this.#users.set(call, users + 1)
    if (users > 0) return 0
    const calls = this.#requests.get(call.request) ?? 0
    this.#requests.set(call.request, calls + 1)
    return calls > 0 ? PART_COST : callCost(call)
  }

  /** Returns by how much the cost falls. */
  remove(call: PossibleCall): number {
    const users = (this.#users.get(call) ?? 1) - 1
    this.#users.set(call, users)
    if (users > 0) return 0
    const calls = (this.#requests.get(call.request) ?? 1) - 1
    this.#requests.set(call.request, calls)
    return calls > 0 ? PART_COST : callCost(call)
  }
}

/** Sorts calls by depth, subgraph and type. Ids do not decide: they depend on what was planned before. */
export function byDepth(calls: Iterable<PossibleCall>): readonly PossibleCall[] {
  return [...calls].sort(
    (a, b) =>
      a.depth - b.depth ||
      a.node.sub - b.node.sub ||
      compareTexts(a.node.typeName, b.node.typeName) ||
      Number(isRequiring(a)) - Number(isRequiring(b)),
  )
}

function isRequiring({ entity }: PossibleCall): boolean {
  return entity !== null && entity.requires !== null
}

/** A text that is equal for calls of different object types that become one call of one subgraph. */
export function sharedCallKey(call: PossibleCall): string {
  return `${call.kind}|${call.node.sub}|${call.depth}|${call.entity?.field ?? ''}`
}
