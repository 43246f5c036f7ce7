import { type GroupId, INITIAL_GROUP, type PositionId, type TypeId } from '../../ids.ts'
import type { Anchor, DeliveryGroup } from '../../plan/plan.ts'
import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { ClientPaths } from '../errors/client-paths.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { NONE_LOST } from './projections.ts'
import type { ObjectFilter } from '../fetching/representations.ts'

/**
 * `cancelled`: its object is not there, or what it is nested in failed; the client never hears of it. `completed` says
 * nothing about success.
 */
export type GroupState = 'waiting' | 'announced' | 'completed' | 'cancelled'

/** How far each group has come, and at which of its objects it failed. */
export class GroupProgress {
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #paths: ClientPaths
  readonly #delivered: DeliveredObjects
  readonly #groups: readonly DeliveryGroup[]
  readonly #states: GroupState[]
  /** Announced for a list in which the client has no object with the deferred fragment. */
  readonly #empty = new Set<GroupId>()
  /** By group and position: the objects it should have been delivered into, but could not be. Most executions have none. */
  readonly #failures: (Map<PositionId, Set<number>> | undefined)[] = []
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
    this.#states = groups.map(({ live }) => (live ? 'waiting' : 'cancelled'))
  }

  /** Nothing can be delivered into a response that is null. */
  cancelAll(): void {
    for (const { id } of this.#delivery.groups) this.#states[id] = 'cancelled'
  }

  is(group: GroupId, state: GroupState): boolean {
    return this.#states[group] === state
  }

  isOpen(group: GroupId): boolean {
    return this.is(group, 'waiting') || this.is(group, 'announced')
  }

  /** Whether what the group shares with others has been delivered, or is known to be its own to deliver. */
  isFree(group: DeliveryGroup): boolean {
    if (group.holds.some((other) => this.isOpen(other))) return false
    const isWhole = group.holds.every(
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

  /** Groups that can be announced by now; decides about those that never will be, too. */
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

  /** Of a group that has been announced: all objects on which it sits were delivered before. */
  hasObjects(group: GroupId): boolean {
    return !this.#empty.has(group)
  }

  #findsObjects(group: DeliveryGroup): Task<boolean> {
    return this.#some(group, (at, occurrence) => this.isAnchored(group, at, occurrence))
  }

  /** Of the groups around those that wait. */
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

  /** Whether one of the objects at which the group may be, and that the client has, is such an object. */
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

  /** Whether a group was delivered into one of its objects, or had none into which it could fail to be. */
  #survives(id: GroupId): boolean {
    return this.#failures[id] === undefined || this.#survivors.has(id)
  }

  /** Whether the client has the object, and the fragments around this one were delivered into theirs. */
  isAnchored(group: DeliveryGroup, position: PositionId, occurrence: number): boolean {
    return (
      isMeant(group.anchors, position, this.#occurrences.type(position, occurrence)) &&
      this.#isWithinParent(group, position, occurrence)
    )
  }

  /** The same of any object at which a fragment may be, whatever type it is of. */
  #isWithinParent({ parent }: DeliveryGroup, position: PositionId, occurrence: number): boolean {
    if (!this.#delivered.has(position, occurrence)) return false
    const around = this.#groups[parent]
    if (parent === 0 || around === undefined) return true
    return around.anchors.every(({ at }) => {
      const above = this.#paths.ancestor(position, occurrence, at)
      return above < 0 || this.#isDelivered(around, at, above)
    })
  }

  /** False for an object with the fragment on it into which it is not delivered. */
  reaches(id: GroupId, position: PositionId, occurrence: number): boolean {
    const group = this.#groups[id]
    if (group?.anchors.some(({ at }) => at === position) !== true) return true
    return this.isAnchored(group, position, occurrence)
  }

  /** The objects for which one of these groups may still deliver something into them or below; null: all there are. */
  objectsFor(groups: readonly GroupId[]): ObjectFilter | null {
    if (groups.some((id) => this.#reachesAll(id))) return null
    return (position, occurrence) => groups.some((id) => this.#mayReach(id, position, occurrence))
  }

  #reachesAll(id: GroupId): boolean {
    const group = this.#groups[id]
    if (id === 0 || group === undefined) return true
    // What becomes of its own objects is not known yet.
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

  /** Of the groups that a group shares fields with, those that do not deliver theirs into an object or below. */
  lostAt(group: DeliveryGroup, position: PositionId, occurrence: number): ReadonlySet<GroupId> {
    const known = this.#delivery.rivals(group.id)
    if (!this.#anyLost || known.size === 0) return NONE_LOST
    this.#pace.isSpent(known.size)
    const rivals = [...known]
    const lost = rivals.filter((id) => this.#isLostAt(id, position, occurrence))
    return lost.length === 0 ? NONE_LOST : new Set(lost)
  }

  /** How many fragments are around this one, and itself. */
  nesting({ id }: DeliveryGroup): number {
    let nesting = 0
    for (let at = id; at > 0; at = this.#groups[at]?.parent ?? INITIAL_GROUP) nesting++
    return nesting
  }

  /** Of the groups that select a field of an object, the one that delivers it there; null if all of them are lost. */
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
    // Its own objects may be further down, in what the one around it should have delivered.
    return isMissing || this.#isLostAt(group.parent, position, occurrence)
  }
}

/** Asked of every object that a fragment is on, and of each again with every part. */
function isMeant(anchors: readonly Anchor[], position: PositionId, type: TypeId): boolean {
  for (const { at, types } of anchors)
    if (at === position && (types === null || types.includes(type))) return true
  return false
}
