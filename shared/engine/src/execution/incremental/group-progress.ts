import { type GroupId, INITIAL_GROUP, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { Anchor, DeliveryGroup } from '../../plan/contract/plan.ts'
import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { ClientPaths } from '../errors/client-paths.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { NONE_LOST } from './projections.ts'
import type { ObjectFilter } from '../fetching/representations.ts'

/**
 * The state of a group. `waiting` is not announced yet. `announced` means that the client knows that the
 * group will come. `completed` means delivered, whether or not into all of its objects. `cancelled` means
 * that the client never hears of the group, because its object became null, or the group in which it is
 * nested failed.
 */
export type GroupState = 'waiting' | 'announced' | 'completed' | 'cancelled'

/** The state of each delivery group, and the objects into which it could not be delivered. */
export class GroupProgress {
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #paths: ClientPaths
  readonly #delivered: DeliveredObjects
  readonly #groups: readonly DeliveryGroup[]
  readonly #states: GroupState[]
  /** Groups that were announced for a list without an object for them. */
  readonly #empty = new Set<GroupId>()
  /**
   * The objects into which a group could not be delivered, by group and position. Most executions have none.
   */
  readonly #failures: (Map<PositionId, Set<number>> | undefined)[] = []
  /** Whether any group failed at an object or was cancelled. */
  #anyLost = false
  /** Groups that failed at some of their objects and were delivered into others. */
  readonly #survivors = new Set<GroupId>()
  readonly #pace: Pace

  constructor(
    groups: readonly DeliveryGroup[],
    delivery: DeliveryPlan,
    occurrences: Occurrences,
    paths: ClientPaths,
    delivered: DeliveredObjects,
    pace: Pace,
  ) {
    this.#groups = groups
    this.#delivery = delivery
    this.#occurrences = occurrences
    this.#paths = paths
    this.#delivered = delivered
    this.#pace = pace
    this.#states = groups.map(({ isLive }) => (isLive ? 'waiting' : 'cancelled'))
  }

  /** Cancels every group, since nothing can be delivered into a response that is null. */
  cancelAll(): void {
    for (const { id } of this.#delivery.groups) this.#states[id] = 'cancelled'
  }

  is(group: GroupId, state: GroupState): boolean {
    return this.#states[group] === state
  }

  isOpen(group: GroupId): boolean {
    return this.is(group, 'waiting') || this.is(group, 'announced')
  }

  /** Whether it is known of all fields that the group shares with others which group delivers them. */
  isFree(group: DeliveryGroup): boolean {
    if (group.completedAfter.some((other) => this.isOpen(other))) return false
    const isWhole = group.completedAfter.every(
      (other) => this.is(other, 'completed') && this.#failures[other] === undefined,
    )
    if (isWhole) return true
    for (const other of this.#delivery.rivals(group.id)) if (this.isOpen(other)) return false
    return true
  }

  complete(group: GroupId): void {
    this.#states[group] = 'completed'
  }

  fail(group: GroupId, position: PositionId, occurrence: number): void {
    const failures = (this.#failures[group] ??= new Map<PositionId, Set<number>>())
    const known = failures.get(position)
    if (known === undefined) failures.set(position, new Set([occurrence]))
    else known.add(occurrence)
    this.#anyLost = true
  }

  /**
   * Announces the groups that can be announced by now, and cancels those that never can be. Returns the
   * announced ones.
   */
  *announce(): Task<readonly DeliveryGroup[]> {
    if (this.#anyLost) yield* this.#findSurvivors()
    const announced = this.#decideAll()
    for (const group of announced) if (!(yield* this.#findsObjects(group))) this.#empty.add(group.id)
    return announced.sort((a, b) => a.id - b.id)
  }

  #decideAll(): DeliveryGroup[] {
    const announced: DeliveryGroup[] = []
    let isChanged = true
    while (isChanged) {
      isChanged = false
      for (const group of this.#delivery.groups) {
        if (!this.is(group.id, 'waiting')) continue
        const state = this.#decide(group)
        if (state === 'waiting') continue
        isChanged = true
        this.#states[group.id] = state
        if (state === 'cancelled') this.#anyLost = true
        else announced.push(group)
      }
    }
    return announced
  }

  /** Whether an announced group has an object; no further ones come after the announcement. */
  hasObjects(group: GroupId): boolean {
    return !this.#empty.has(group)
  }

  #findsObjects(group: DeliveryGroup): Task<boolean> {
    return this.#some(group, (at, occurrence) => this.isAnchored(group, at, occurrence))
  }

  /** Finds, among the groups around waiting ones, those that failed only at some of their objects. */
  *#findSurvivors(): Task {
    const looked = new Set<GroupId>()
    for (const { id, parent } of this.#delivery.groups) {
      const group = this.#groups[parent]
      if (group === undefined || looked.has(parent) || this.#survives(parent)) continue
      if (!this.is(id, 'waiting') || !this.is(parent, 'completed')) continue
      looked.add(parent)
      if (yield* this.#some(group, (at, occurrence) => this.#isDelivered(group, at, occurrence)))
        this.#survivors.add(parent)
    }
  }

  /** Whether one of the delivered objects at the positions of the group is such an object. */
  *#some(group: DeliveryGroup, isSuch: (at: PositionId, occurrence: number) => boolean): Task<boolean> {
    const steps = this.nesting(group)
    for (const { at } of group.anchors) {
      const end = this.#delivered.end(at)
      for (let occurrence = 0; occurrence < end; occurrence++) {
        if (this.#delivered.has(at, occurrence) && isSuch(at, occurrence)) return true
        if (this.#pace.isSpent(steps)) yield NEXT_TURN
      }
    }
    return false
  }

  #decide(group: DeliveryGroup): GroupState {
    const { parent } = group
    if (this.is(parent, 'cancelled')) return 'cancelled'
    if (!this.is(parent, 'completed')) return 'waiting'
    if (!this.#survives(parent)) return 'cancelled'
    const { lists, owners } = this.#delivery.announcement(group.id)
    for (const other of owners) if (this.isOpen(other)) return 'waiting'
    const isThere =
      lists.length === 0
        ? group.anchors.some(({ at }) => this.isAnchored(group, at, 0))
        : lists.some((list) => this.#delivered.hasList(list))
    return isThere ? 'announced' : 'cancelled'
  }

  /** Whether a group was delivered into one of its objects, or failed at none. */
  #survives(id: GroupId): boolean {
    return this.#failures[id] === undefined || this.#survivors.has(id)
  }

  /**
   * Whether the group can be delivered into the object: it was delivered, and so were the groups around this
   * one.
   */
  isAnchored(group: DeliveryGroup, position: PositionId, occurrence: number): boolean {
    return (
      hasAnchor(group.anchors, position, this.#occurrences.type(position, occurrence)) &&
      this.#isWithinParent(group, position, occurrence)
    )
  }

  /** The same for an object of any runtime type. */
  #isWithinParent({ parent }: DeliveryGroup, position: PositionId, occurrence: number): boolean {
    if (!this.#delivered.has(position, occurrence)) return false
    const around = this.#groups[parent]
    if (parent === 0 || around === undefined) return true
    return around.anchors.every(({ at }) => {
      const above = this.#paths.ancestor(position, occurrence, at)
      return above < 0 || this.#isDelivered(around, at, above)
    })
  }

  /** False only for an object with the deferred fragment on it into which the group cannot be delivered. */
  reaches(id: GroupId, position: PositionId, occurrence: number): boolean {
    const group = this.#groups[id]
    if (group?.anchors.some(({ at }) => at === position) !== true) return true
    return this.isAnchored(group, position, occurrence)
  }

  /**
   * Accepts the objects in which, or below which, one of these groups may still deliver something; null for
   * all objects.
   */
  objectsFor(groups: readonly GroupId[]): ObjectFilter | null {
    if (groups.some((id) => this.#reachesAll(id))) return null
    return (position, occurrence) => groups.some((id) => this.#mayReach(id, position, occurrence))
  }

  #reachesAll(id: GroupId): boolean {
    const group = this.#groups[id]
    if (id === 0 || group === undefined) return true
    // Which of its objects are delivered is not known yet, but they are all in objects of its parent.
    if (this.is(id, 'waiting')) return this.#reachesAll(group.parent)
    return !this.#anyLost && group.anchors.every(({ at }) => this.#delivered.hasAll(at))
  }

  #mayReach(id: GroupId, position: PositionId, occurrence: number): boolean {
    const group = this.#groups[id]
    if (id === 0 || group === undefined) return true
    if (this.is(id, 'waiting')) return this.#mayReach(group.parent, position, occurrence)
    if (this.is(id, 'cancelled')) return false
    let isBelow = false
    for (const { at } of group.anchors) {
      const above = this.#paths.ancestor(position, occurrence, at)
      if (above < 0) continue
      isBelow = true
      if (this.#isWithinParent(group, at, above)) return true
    }
    return !isBelow
  }

  #isDelivered(group: DeliveryGroup, position: PositionId, occurrence: number): boolean {
    return !this.#failed(group.id, position, occurrence) && this.isAnchored(group, position, occurrence)
  }

  #failed(group: GroupId, position: PositionId, occurrence: number): boolean {
    return this.#failures[group]?.get(position)?.has(occurrence) === true
  }

  /** The groups that share fields with a group, and do not deliver them into this object or below. */
  lostAt(group: DeliveryGroup, position: PositionId, occurrence: number): ReadonlySet<GroupId> {
    const known = this.#delivery.rivals(group.id)
    if (!this.#anyLost || known.size === 0) return NONE_LOST
    this.#pace.isSpent(known.size)
    const rivals = [...known]
    const lost = rivals.filter((id) => this.#isLostAt(id, position, occurrence))
    return lost.length === 0 ? NONE_LOST : new Set(lost)
  }

  /** How deep a group is nested; 1 for a deferred fragment that is in no other one. */
  nesting({ id }: DeliveryGroup): number {
    let nesting = 0
    for (let at = id; at > 0; at = this.#groups[at]?.parent ?? INITIAL_GROUP) nesting++
    return nesting
  }

  /**
   * Which of the groups that select a field delivers it into an object; null if all of them are lost there.
   */
  delivererOf(groups: readonly GroupId[], position: PositionId, occurrence: number): GroupId | null {
    if (!this.#anyLost || occurrence < 0) return groups[0] ?? null
    return groups.find((id) => !this.#isLostAt(id, position, occurrence)) ?? null
  }

  #isLostAt(id: GroupId, position: PositionId, occurrence: number): boolean {
    const group = this.#groups[id]
    if (id === 0 || group === undefined) return false
    if (this.is(id, 'cancelled')) return true
    const isMissing = group.anchors.some(({ at }) => {
      const above = this.#paths.ancestor(position, occurrence, at)
      return above >= 0 && !this.#isDelivered(group, at, above)
    })
    // Its objects may be below this one, in fields that the group around it should have delivered.
    return isMissing || this.#isLostAt(group.parent, position, occurrence)
  }
}

/** Whether the deferred fragment with these anchors is on objects of this position and runtime type. */
function hasAnchor(anchors: readonly Anchor[], position: PositionId, type: TypeId): boolean {
  for (const { at, types } of anchors)
    if (at === position && (types === null || types.includes(type))) return true
  return false
}
