import { type FetchId, type GroupId, INITIAL_GROUP, NO_FETCH, type PositionId } from '../../ids.ts'
import type { Fetch, ObjectShape, Plan, ShapeField } from '../../plan/plan.ts'
import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { Path } from '../errors/client-paths.ts'
import type { ResponseError } from '../contract/response.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { GroupProgress } from './group-progress.ts'
import { ordinalOf } from '../joining/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { NullPaths } from './null-paths.ts'
import { fieldsFor, objectIn } from '../joining/prepared-plan.ts'
import { groupsOf } from './projections.ts'

type Reported = {
  readonly error: ResponseError
  /** That was answered with it; null for what no subgraph reported. */
  readonly fetch: Fetch | null
  /** Nothing of the fetch is there. */
  readonly isLost: boolean
  /** Where nothing is null because of it: groups that may show it, the first of them that is still to be delivered does. */
  readonly groups: readonly GroupId[]
}

/** Fetches that were not asked for an object, with the object. */
type Unasked = ReturnType<NullPaths['unasked']>

/** A field on the way of a path, and the object it leads to; null if it is a leaf, or which object is not known. */
type Step = {
  readonly field: ShapeField
  /** The object that has the field; its number is -1 if it is not known. */
  readonly holder: { readonly position: PositionId; readonly occurrence: number }
  readonly object: { readonly position: PositionId; readonly occurrence: number } | null
  /** There is nothing at this place, though the subgraph gave the object that has the field. */
  readonly isNull: boolean
  /** The subgraph did not give the object that has the field, so that there is no object at this place either. */
  readonly isLost: boolean
}

/**
 * Decides which part of the response tells what a subgraph reported. Each error is told once. In this order:
 *
 * 1. By the part that has the null at the error's place, or on the way to it.
 * 2. Unless such a part is announced, by the first that lacks something because of it: where its fetch left something null
 *    below the place, or did not give an object in which the place is; where that was left to a fetch that waited for its own
 *    and was therefore not asked; or, of a fetch that was lost, wherever one that waited for it was not asked.
 * 3. Where nothing is null because of it, by the part that delivers what it names; never, if the client does not have that.
 *
 * So a null never comes before its error, but for one case: what else is null because of an error about a field of a later part.
 */
export class GroupErrors {
  readonly #plan: Plan
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #delivered: DeliveredObjects
  readonly #progress: GroupProgress
  /** By fetch: all that it waits for, directly or not. */
  readonly #before = new Map<FetchId, ReadonlySet<FetchId>>()
  #waiting: Reported[] = []

  constructor(
    plan: Plan,
    delivery: DeliveryPlan,
    occurrences: Occurrences,
    delivered: DeliveredObjects,
    progress: GroupProgress,
  ) {
    this.#plan = plan
    this.#delivery = delivery
    this.#occurrences = occurrences
    this.#delivered = delivered
    this.#progress = progress
  }

  /** Whether it matters to know what is null in the next part. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  add(error: ResponseError, fetch: Fetch | null, isLost: boolean): void {
    const groups = this.#groups(error.path ?? [], fetch)
    this.#waiting.push({ error, fetch, isLost, groups })
  }

  /** Those that the part of this group tells. Never heard of: what could not be fetched for objects that the client does not have. */
  *take(group: GroupId, nulls: NullPaths, pace: Pace): Task<readonly ResponseError[]> {
    const taken: ResponseError[] = []
    const told = new Set<FetchId>()
    const unasked = nulls.unasked()
    for (const toTell of [
      (reported: Reported) => (this.#isNullHere(reported, group, nulls, unasked) ? reported.error : null),
      (reported: Reported) => {
        const object = told.has(reported.fetch?.id ?? NO_FETCH) ? null : this.#lostFor(reported, unasked)
        return object === null ? null : { ...reported.error, path: object }
      },
      (reported: Reported) =>
        this.#isLeftTo(group, reported) && this.#isForClient(reported.error.path ?? [], group)
          ? reported.error
          : null,
    ]) {
      const waiting: Reported[] = []
      for (const reported of this.#waiting) {
        const error = toTell(reported)
        if (error === null) waiting.push(reported)
        else {
          taken.push(error)
          if (reported.fetch !== null) told.add(reported.fetch.id)
        }
        if (pace.isSpent(1 + (reported.error.path?.length ?? 0) + unasked.length)) yield NEXT_TURN
      }
      this.#waiting = waiting
    }
    return taken
  }

  #isNullHere({ error, fetch }: Reported, group: GroupId, nulls: NullPaths, unasked: Unasked): boolean {
    const path = error.path ?? []
    if (nulls.isOnTheWay(path)) return true
    if (fetch === null) return false
    const isMissed =
      nulls.isNear(fetch.id, path) ||
      unasked.some(([other]) => this.#waitsFor(other, fetch.id) && nulls.isUnaskedNear(other, path))
    return isMissed && !this.#isNullLater(path, group)
  }

  /** What a lost fetch was needed for may be anywhere: the object for which another was not made. */
  #lostFor({ fetch, isLost }: Reported, unasked: Unasked): Path | null {
    if (fetch === null || !isLost) return null
    return unasked.find(([other]) => this.#waitsFor(other, fetch.id))?.[1] ?? null
  }

  #waitsFor(fetch: FetchId, other: FetchId): boolean {
    let before = this.#before.get(fetch)
    if (before === undefined) {
      const all = new Set(this.#plan.fetches[fetch]?.after)
      for (const id of all) for (const earlier of this.#plan.fetches[id]?.after ?? []) all.add(earlier)
      before = all
      this.#before.set(fetch, before)
    }
    return before.has(other)
  }

  /** Whether another part is sure to come that has the null at this place, or on the way to it. */
  #isNullLater(path: Path, group: GroupId): boolean {
    const step = this.#walk(path).find(({ isNull }) => isNull)
    if (step === undefined) return false
    const { position, occurrence } = step.holder
    const deliverer = this.#progress.delivererOf(groupsOf(step.field), position, occurrence)
    return deliverer !== null && deliverer !== group && this.#progress.is(deliverer, 'announced')
  }

  /** Whether this group tells what left nothing null so far. What is null because of a lost fetch may still come. */
  #isLeftTo(group: GroupId, { groups, isLost }: Reported): boolean {
    const open = groups.filter((other) => this.#progress.isOpen(other))
    return open[0] === group && (!isLost || open.every((other) => other === group))
  }

  #isForClient(path: Path, group: GroupId): boolean {
    for (const { field, holder, object, isNull, isLost } of this.#walk(path)) {
      // Nothing is known yet of what is still to be delivered.
      const deliverer = this.#progress.delivererOf(groupsOf(field), holder.position, holder.occurrence)
      if (deliverer !== null && this.#progress.isOpen(deliverer)) return true
      if (isNull || isLost) return false
      if (object === null) continue
      const { position, occurrence } = object
      if (!this.#delivered.has(position, occurrence)) return false
      if (!this.#progress.reaches(group, position, occurrence)) return false
    }
    return true
  }

  #groups(path: Path, fetch: Fetch | null): readonly GroupId[] {
    const steps = this.#walk(path)
    // What failed may have taken an object further up with it.
    const field = (steps.find(({ isNull }) => isNull) ?? steps.at(-1))?.field
    const owners = field === undefined ? [] : groupsOf(field)
    if (fetch === null) return [...owners, INITIAL_GROUP]
    const served = this.#servedAt(path, fetch.id)
    // The object of a fragment is there already; what is lost are the fields that the fetch would have added to it.
    const isObject = field === undefined || (field.kind === 'field' && objectIn(field.node) !== null)
    if (!isObject) return [...owners, ...served, fetch.group]
    const both = owners.filter((group) => served.includes(group))
    return [...both, ...served, fetch.group, ...owners]
  }

  /** One call may ask about objects in several places, for fragments that sit in different ones of them. */
  #servedAt(path: Path, fetch: FetchId): readonly GroupId[] {
    const served = [...this.#delivery.served(fetch)].sort((a, b) => a - b)
    const near = served.filter((group) =>
      this.#delivery
        .announcement(group)
        .path.every((key, index) => index >= path.length || path[index] === key),
    )
    return near.length > 0 ? near : served
  }

  /** The fields along a path, as far as the client selected them. */
  #walk(path: Path): readonly Step[] {
    const steps: Step[] = []
    let shape: ObjectShape | null = this.#plan.shape
    let occurrence = 0
    for (let i = 0; i < path.length && shape !== null; ) {
      const key = path[i]
      const indices: number[] = []
      for (i++; typeof path[i] === 'number'; i++) indices.push(Number(path[i]))
      const field: ShapeField | undefined = this.#fields(shape, occurrence).find((other) => other.key === key)
      if (field === undefined) break
      const step = this.#step(field, shape, occurrence, indices)
      steps.push(step)
      occurrence = step.object?.occurrence ?? -1
      shape = field.kind === 'field' ? objectIn(field.node) : null
    }
    return steps
  }

  #fields(shape: ObjectShape, occurrence: number): readonly ShapeField[] {
    return occurrence < 0
      ? shape.cases.flatMap(({ fields }) => fields)
      : fieldsFor(shape, this.#occurrences.type(shape.position, occurrence))
  }

  #step(field: ShapeField, shape: ObjectShape, occurrence: number, indices: readonly number[]): Step {
    const holder = { position: shape.position, occurrence }
    const nothing = { field, holder, object: null, isNull: false, isLost: false }
    if (field.kind !== 'field' || occurrence < 0) return nothing
    const below = objectIn(field.node)
    const objectAt = (ordinal: number): Step['object'] => {
      if (below === null || ordinal < 0) return null
      const { position } = below
      return { position, occurrence: this.#occurrences.start(position, occurrence) + ordinal }
    }
    if (field.source === null) return { ...nothing, object: objectAt(0) }
    const { slot, key } = field.source
    if (this.#occurrences.object(shape.position, slot, occurrence) === null)
      return { ...nothing, isLost: below !== null }
    const value = this.#occurrences.value(shape.position, slot, occurrence, key)
    return { ...nothing, object: objectAt(ordinalOf(value, indices)), isNull: isNothing(value, indices) }
  }
}

function isNothing(value: unknown, indices: readonly number[]): boolean {
  let inner = value
  for (const index of indices) inner = Array.isArray(inner) ? inner[index] : null
  return inner === null || inner === undefined
}
