import { type FetchId, type GroupId, INITIAL_GROUP, NO_FETCH, type PositionId } from '../../ids/ids.ts'
import type { Fetch, ObjectShape, Plan, ShapeField } from '../../plan/contract/plan.ts'
import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { Path } from '../errors/client-paths.ts'
import type { ResponseError } from '../contract/response.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { GroupProgress } from './group-progress.ts'
import { ordinalOf } from '../../json/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { NullPaths } from './null-paths.ts'
import { fieldsFor, objectIn } from '../joining/prepared-plan.ts'
import { groupsOf } from './projections.ts'

/** An error that a subgraph reported, and that no result has told yet. */
type WaitingError = {
  readonly error: ResponseError
  /** The fetch that was answered with the error; null if no subgraph reported it. */
  readonly fetch: Fetch | null
  /** The fetch gave nothing at all. */
  readonly isLost: boolean
  /**
   * If no null is due to the error: groups that may report it. The first one that is not delivered yet does.
   */
  readonly groups: readonly GroupId[]
}

/** Fetches that were not asked for an object, each with the path of a field that is null because of that. */
type Unasked = ReturnType<NullPaths['unasked']>

/** A field of a response path. */
type PathField = {
  readonly field: ShapeField
  /** The object that has the field; its number is -1 if it is not known. */
  readonly holder: { readonly position: PositionId; readonly occurrence: number }
  readonly object: { readonly position: PositionId; readonly occurrence: number } | null
  /** The value is null, though the subgraph gave the object that has the field. */
  readonly isNull: boolean
  /** The subgraph did not give the object that has the field, so the field leads to no object. */
  readonly isLost: boolean
}

/**
 * Decides which result reports an error of a subgraph. Each error is reported once, by the first of these
 * rules that applies:
 *
 * 1. The result that has the null at the error's path, or above it.
 * 2. Unless such a result is announced, the first result that lacks something because of the error: its fetch
 *    left something null below the path, or did not give the object that the path leads into; another fetch
 *    waited for that one, and so was not asked for an object; or the fetch gave nothing at all, and a fetch
 *    that waited for it was not asked.
 * 3. If nothing is null because of the error, the result that delivers what the path names; none, if that was
 *    not delivered.
 *
 * The error of a fetch that gave nothing names one field that is null because of that. So the result that
 * delivers the field reports it, if no result before has a null above the field.
 *
 * So a null never comes before its error, with one exception: a further null that is due to an error about a
 * field of a later result.
 */
export class GroupErrors {
  readonly #plan: Plan
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #delivered: DeliveredObjects
  readonly #progress: GroupProgress
  /** All fetches that each fetch waits for, directly or not. */
  readonly #before = new Map<FetchId, ReadonlySet<FetchId>>()
  #waiting: WaitingError[] = []

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

  /** Whether an error waits to be reported, for which the nulls of the next result matter. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  add(error: ResponseError, fetch: Fetch | null, isLost: boolean): void {
    const groups = this.#groups(error.path ?? [], fetch)
    this.#waiting.push({ error, fetch, isLost, groups })
  }

  /**
   * The errors that the result of this group reports. Errors about objects that were not delivered are never
   * reported.
   */
  *take(group: GroupId, nulls: NullPaths, pace: Pace): Task<readonly ResponseError[]> {
    const taken: ResponseError[] = []
    const told = new Set<FetchId>()
    const unasked = nulls.unasked()
    for (const toTell of [
      (reported: WaitingError) => (this.#isNullHere(reported, group, nulls, unasked) ? reported.error : null),
      (reported: WaitingError) => {
        const path = told.has(reported.fetch?.id ?? NO_FETCH) ? null : this.#lostFor(reported, unasked)
        return path === null ? null : { ...reported.error, path }
      },
      (reported: WaitingError) =>
        this.#isLeftTo(group, reported) && this.#isForClient(reported.error.path ?? [], group)
          ? reported.error
          : null,
    ]) {
      const waiting: WaitingError[] = []
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

  #isNullHere(
    { error, fetch, isLost }: WaitingError,
    group: GroupId,
    nulls: NullPaths,
    unasked: Unasked,
  ): boolean {
    const path = error.path ?? []
    if (nulls.isOnTheWay(path)) return true
    if (fetch === null) return false
    const deliverer = isLost ? this.#delivererOf(path) : null
    if (deliverer !== null && (deliverer === group || this.#progress.isOpen(deliverer)))
      return deliverer === group
    const isMissed =
      nulls.isNear(fetch.id, path) ||
      unasked.some(([other]) => this.#waitsFor(other, fetch.id) && nulls.isUnaskedNear(other, path))
    return isMissed && !this.#isNullLater(path, group)
  }

  /**
   * The path of a field that is null because a fetch was not made: this error's fetch, for which it waited,
   * gave nothing.
   */
  #lostFor({ error, fetch, isLost }: WaitingError, unasked: Unasked): Path | null {
    if (fetch === null || !isLost) return null
    const deliverer = this.#delivererOf(error.path ?? [])
    if (deliverer !== null && this.#progress.isOpen(deliverer)) return null
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

  /** The group that delivers the field to which a path leads; null if nobody does. */
  #delivererOf(path: Path): GroupId | null {
    const last = this.#walk(path).at(-1)
    if (last === undefined) return null
    const { position, occurrence } = last.holder
    return this.#progress.delivererOf(groupsOf(last.field), position, occurrence)
  }

  /** Whether another announced group will have the null at this path, or above it. */
  #isNullLater(path: Path, group: GroupId): boolean {
    const pathField = this.#walk(path).find(({ isNull }) => isNull)
    if (pathField === undefined) return false
    const { position, occurrence } = pathField.holder
    const deliverer = this.#progress.delivererOf(groupsOf(pathField.field), position, occurrence)
    return deliverer !== null && deliverer !== group && this.#progress.is(deliverer, 'announced')
  }

  /**
   * Whether this group reports an error that left nothing null so far. Nulls due to a lost fetch may still
   * come.
   */
  #isLeftTo(group: GroupId, { groups, isLost }: WaitingError): boolean {
    const open = groups.filter((other) => this.#progress.isOpen(other))
    return open[0] === group && (!isLost || open.every((other) => other === group))
  }

  #isForClient(path: Path, group: GroupId): boolean {
    for (const { field, holder, object, isNull, isLost } of this.#walk(path)) {
      // The field is still to be delivered, so it is not known yet what the client gets.
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
    const fields = this.#walk(path)
    // The error may have made an object further up null.
    const field = (fields.find(({ isNull }) => isNull) ?? fields.at(-1))?.field
    const owners = field === undefined ? [] : groupsOf(field)
    if (fetch === null) return [...owners, INITIAL_GROUP]
    const served = this.#servedAt(path, fetch.id)
    // The object was delivered before; the fields that the fetch would have added to it are what is missing.
    const isObject = field === undefined || (field.kind === 'field' && objectIn(field.node) !== null)
    if (!isObject) return [...owners, ...served, fetch.group]
    const both = owners.filter((group) => served.includes(group))
    return [...both, ...served, fetch.group, ...owners]
  }

  /**
   * The groups near the path that show something of a fetch: one fetch may be for deferred fragments in
   * several lists.
   */
  #servedAt(path: Path, fetch: FetchId): readonly GroupId[] {
    const served = [...this.#delivery.served(fetch)].sort((a, b) => a - b)
    const near = served.filter((group) =>
      this.#delivery
        .announcement(group)
        .path.every((key, index) => index >= path.length || path[index] === key),
    )
    return near.length > 0 ? near : served
  }

  /** The fields of a response path, as far as the client selected them. */
  #walk(path: Path): readonly PathField[] {
    const fields: PathField[] = []
    let shape: ObjectShape | null = this.#plan.shape
    let occurrence = 0
    for (let i = 0; i < path.length && shape !== null; ) {
      const key = path[i]
      const indices: number[] = []
      for (i++; typeof path[i] === 'number'; i++) indices.push(Number(path[i]))
      const field: ShapeField | undefined = this.#fields(shape, occurrence).find((other) => other.key === key)
      if (field === undefined) break
      const pathField = this.#pathField(field, shape, occurrence, indices)
      fields.push(pathField)
      occurrence = pathField.object?.occurrence ?? -1
      shape = field.kind === 'field' ? objectIn(field.node) : null
    }
    return fields
  }

  #fields(shape: ObjectShape, occurrence: number): readonly ShapeField[] {
    return occurrence < 0
      ? shape.cases.flatMap(({ fields }) => fields)
      : fieldsFor(shape, this.#occurrences.type(shape.position, occurrence))
  }

  #pathField(
    field: ShapeField,
    shape: ObjectShape,
    occurrence: number,
    indices: readonly number[],
  ): PathField {
    const holder = { position: shape.position, occurrence }
    const nothing = { field, holder, object: null, isNull: false, isLost: false }
    if (field.kind !== 'field' || occurrence < 0) return nothing
    const below = objectIn(field.node)
    const objectAt = (ordinal: number): PathField['object'] => {
      if (below === null || ordinal < 0) return null
      const { position } = below
      return { position, occurrence: this.#occurrences.start(position, occurrence) + ordinal }
    }
    if (field.source === null) return { ...nothing, object: objectAt(0) }
    const { slot, key } = field.source
    if (this.#occurrences.object(shape.position, slot, occurrence) === null)
      return { ...nothing, isLost: below !== null }
    const value = this.#occurrences.value(shape.position, slot, occurrence, key)
    return { ...nothing, object: objectAt(ordinalOf(value, indices)), isNull: isNullAt(value, indices) }
  }
}

function isNullAt(value: unknown, indices: readonly number[]): boolean {
  let inner = value
  for (const index of indices) inner = Array.isArray(inner) ? inner[index] : null
  return inner === null || inner === undefined
}
