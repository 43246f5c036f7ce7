import type { PositionId } from '../../ids.ts'
import type { DeliveryGroup, ObjectShape, ShapeField } from '../../plan/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { Pace, SlicedWork } from '../../work/slices.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { GroupProgress } from './group-progress.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { MAX_LIST_NESTING } from '../joining/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { fieldsFor, objectIn, type PreparedPlan } from '../joining/prepared-plan.ts'
import { NONE_LOST, type Projections } from './projections.ts'

/** What the walks over the response work with; the same for all groups of an execution. */
export type DeliverySources = {
  readonly prepared: PreparedPlan
  readonly delivery: DeliveryPlan
  readonly occurrences: Occurrences
  readonly delivered: DeliveredObjects
  readonly progress: GroupProgress
  readonly budget: WorkBudget
  readonly pace: Pace
}

/** Fields of an object in which there are others to visit, or a list in the value of such a field. */
class Level {
  /** What comes next: a field, or an item. */
  index = 0
  /** How much of the path leads here. */
  depth = 0
  fields: readonly ShapeField[] = []
  /** The object that has the fields. */
  parent = 0
  /** null: these are fields. */
  list: readonly unknown[] | null = null
  /** Of the objects in the list. */
  shape: ObjectShape | null = null
  /** Number of the next of them. */
  next = 0
  /** How many lists are around this one. */
  nesting = 0
}

/**
 * Goes from object to object of those that the client has and that one fragment is on, in the order of the response; and, where
 * it is told to `enter` one, through the objects in that. It has a stack of its own, so that it can stop at any of them.
 */
export class GroupObjects implements SlicedWork {
  /**
   * Of the object that was reached. One that grows and shrinks with the walk: a list has very many objects, and a path for
   * each of them was a good part of what a fragment cost.
   */
  readonly path: (string | number)[] = []
  /** Of the object that was reached; null: there is none any more. */
  shape: ObjectShape | null = null
  occurrence = 0
  readonly #group: DeliveryGroup
  readonly #sources: DeliverySources
  readonly #projections: Projections
  readonly #levels: Level[] = []
  #top = -1
  /** The level at which an object was reached that the fragment is on, as long as the walk is in it. */
  #own = Number.POSITIVE_INFINITY
  #hasBegun = false
  /** To find out whether the fragment reaches an object, those around it are looked at, too. */
  readonly #stepsPerAnchor: number
  #left = 0

  constructor(group: DeliveryGroup, sources: DeliverySources) {
    this.#group = group
    this.#sources = sources
    this.#projections = sources.delivery.projections(group.id, NONE_LOST)
    this.#stepsPerAnchor = sources.progress.nesting(group)
  }

  /** Whether the fragment is on the object that was reached; otherwise that is further in. */
  get isOwn(): boolean {
    return this.#top === this.#own
  }

  /** Goes to the next object. */
  proceed(steps: number): boolean {
    // Whole numbers, which V8 keeps without a box.
    const slice = Math.min(steps, 2 ** 30)
    this.#left = slice
    const isThere = this.#moveOn()
    this.#sources.budget.step(slice - this.#left)
    return isThere
  }

  /** The objects in these fields of the object that was reached are the next ones. */
  enter(shape: ObjectShape): void {
    const { occurrences } = this.#sources
    const level = this.#push()
    level.list = null
    level.fields = fieldsFor(shape, occurrences.type(shape.position, this.occurrence))
    level.parent = this.occurrence
  }

  /** The next object is one after that which the fragment is on, and in which the walk is. */
  leave(): void {
    this.#top = this.#own
  }

  /** false: there are no steps left. */
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

  /** Whether it is an object to visit. */
  #reach(shape: ObjectShape, occurrence: number): boolean {
    this.shape = shape
    this.occurrence = occurrence
    if (this.#top > this.#own) return true
    this.#own = Number.POSITIVE_INFINITY
    if (!isAnchor(this.#group, shape.position)) {
      this.enter(this.#projections.cut(shape).ways)
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
