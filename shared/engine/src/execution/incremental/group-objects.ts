import type { PositionId } from '../../ids/ids.ts'
import type { DeliveryGroup, ObjectShape, ShapeField } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { Pace, SlicedWork } from '../../work/slices.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { GroupProgress } from './group-progress.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { MAX_LIST_NESTING } from '../../json/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { fieldsFor, objectIn, type PreparedPlan } from '../joining/prepared-plan.ts'
import { NONE_LOST, type Projections } from './projections.ts'

/** The sources that are read to deliver groups, the same for all groups of an execution. */
export type DeliverySources = {
  readonly prepared: PreparedPlan
  readonly delivery: DeliveryPlan
  readonly occurrences: Occurrences
  readonly delivered: DeliveredObjects
  readonly progress: GroupProgress
  readonly budget: WorkBudget
  readonly pace: Pace
}

/** Either the fields of an object with objects to visit in them, or a list of such objects. */
class Level {
  /** Index of the next field or item. */
  index = 0
  /** Length of the response path of the object or list. */
  depth = 0
  fields: readonly ShapeField[] = []
  /** Number of the object that has the fields. */
  parent = 0
  /** Null while the level is about fields. */
  list: readonly unknown[] | null = null
  /** Shape of the objects in the list. */
  shape: ObjectShape | null = null
  /** Number of the next object in the list. */
  next = 0
  /** How many lists are around the list. */
  nesting = 0
}

/**
 * Visits, in the order of the response, the objects that were delivered and that the deferred fragment of a
 * group is on. If `enter` is called for an object, the objects in its fields are visited next.
 *
 * The walk has a stack of its own in place of recursion, so that it can stop at any object.
 */
export class GroupObjects implements SlicedWork {
  /**
   * Response path of the current object. It is changed with every step: a path for each object of a long list
   * was a good part of the CPU time of a delivery group.
   */
  readonly path: (string | number)[] = []
  /** Shape of the current object; null when all were visited. */
  shape: ObjectShape | null = null
  occurrence = 0
  readonly #group: DeliveryGroup
  readonly #sources: DeliverySources
  readonly #projections: Projections
  readonly #levels: Level[] = []
  #top = -1
  /** The level of the object with the deferred fragment, while the walk is in it. */
  #own = Number.POSITIVE_INFINITY
  #hasBegun = false
  /** Steps for one object: the objects of the groups around this one are looked at, too. */
  readonly #stepsPerAnchor: number
  #left = 0

  constructor(group: DeliveryGroup, sources: DeliverySources) {
    this.#group = group
    this.#sources = sources
    this.#projections = sources.delivery.projections(group.id, NONE_LOST)
    this.#stepsPerAnchor = sources.progress.nesting(group)
  }

  /** Whether the deferred fragment is on the current object, which otherwise is below such an object. */
  get isOwn(): boolean {
    return this.#top === this.#own
  }

  /** Goes to the next object. */
  proceed(steps: number): boolean {
    // A whole number that V8 keeps without allocating it.
    const slice = Math.min(steps, 2 ** 30)
    this.#left = slice
    const isThere = this.#moveOn()
    this.#sources.budget.step(slice - this.#left)
    return isThere
  }

  /** Makes the objects in these fields of the current object the next ones. */
  enter(shape: ObjectShape): void {
    const { occurrences } = this.#sources
    const level = this.#push()
    level.list = null
    level.fields = fieldsFor(shape, occurrences.type(shape.position, this.occurrence))
    level.parent = this.occurrence
  }

  /** Leaves the object with the deferred fragment in which the walk is. */
  leave(): void {
    this.#top = this.#own
  }

  /** Goes to the next object. Returns false if no steps are left. */
  #moveOn(): boolean {
    if (this.#left <= 0) return false
    if (!this.#hasBegun) {
      this.#hasBegun = true
      if (this.#reach(this.#sources.prepared.plan.shape, 0)) return true
    }
    while (this.#left > 0) {
      const level = this.#levels[this.#top]
      if (this.#top < 0 || level === undefined) {
        this.shape = null
        return true
      }
      this.#left--
      if (level.list === null ? this.#nextField(level) : this.#nextItem(level, level.list)) return true
    }
    return false
  }

  /** Reaches an object. Returns whether the object is to be visited. */
  #reach(shape: ObjectShape, occurrence: number): boolean {
    this.shape = shape
    this.occurrence = occurrence
    if (this.#top > this.#own) return true
    this.#own = Number.POSITIVE_INFINITY
    if (!isAnchor(this.#group, shape.position)) {
      this.enter(this.#projections.fieldsOf(shape).passedFields)
      return false
    }
    this.#left -= this.#stepsPerAnchor
    if (!this.#sources.progress.isAnchored(this.#group, shape.position, occurrence)) return false
    this.#own = this.#top
    return true
  }

  #nextField(level: Level): boolean {
    const field = level.fields[level.index++]
    if (field === undefined) {
      this.#top--
      return false
    }
    const shape = field.kind === 'field' ? objectIn(field.node) : null
    if (shape === null) return false
    const { occurrences, delivered } = this.#sources
    const { parent } = level
    const { id, responseKey, providers, parent: above } = occurrences.position(shape.position)
    const first = occurrences.start(id, parent)
    if (occurrences.start(id, parent + 1) === first) return false
    this.#truncatePath(level.depth)
    if (responseKey !== null) this.path.push(responseKey)
    const [provider] = providers
    if (provider?.kind === 'inline') {
      const value = occurrences.value(above, provider.slot, parent, provider.key)
      if (Array.isArray(value)) {
        this.#enterList(value, shape, first, 0)
        return false
      }
      if (!isJsonObject(value)) return false
    }
    return delivered.has(id, first) && this.#reach(shape, first)
  }

  #nextItem(level: Level, list: readonly unknown[]): boolean {
    const index = level.index++
    const { shape, nesting, depth } = level
    if (index >= list.length || shape === null) {
      const around = this.#levels[--this.#top]
      if (nesting > 0 && around !== undefined) around.next = level.next
      return false
    }
    const item = list[index]
    const { prepared, delivered } = this.#sources
    const isList = Array.isArray(item)
    if (isList ? nesting + 1 >= MAX_LIST_NESTING : !isJsonObject(item)) return false
    const occurrence = isList ? level.next : level.next++
    if (!isList && !delivered.has(shape.position, occurrence)) return false
    this.#truncatePath(depth)
    if (nesting < (prepared.listDepths[shape.position] ?? 0)) this.path.push(index)
    if (!isList) return this.#reach(shape, occurrence)
    this.#enterList(item, shape, occurrence, nesting + 1)
    return false
  }

  #enterList(list: readonly unknown[], shape: ObjectShape, next: number, nesting: number): void {
    const level = this.#push()
    level.list = list
    level.shape = shape
    level.next = next
    level.nesting = nesting
  }

  #push(): Level {
    const level = (this.#levels[++this.#top] ??= new Level())
    level.index = 0
    level.depth = this.path.length
    return level
  }

  #truncatePath(length: number): void {
    while (this.path.length > length) this.path.pop()
  }
}

function isAnchor({ anchors }: DeliveryGroup, position: PositionId): boolean {
  for (const { at } of anchors) if (at === position) return true
  return false
}
