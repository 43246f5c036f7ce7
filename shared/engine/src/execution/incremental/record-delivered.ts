import { type PositionId, ROOT_POSITION } from '../../ids/ids.ts'
import type { ObjectShape, ShapeField } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { SlicedWork } from '../../work/slices.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import { isJsonObject, type JsonObject, read } from '../../json/json-object.ts'
import { ListWalk } from '../joining/list-walk.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { fieldsFor, objectIn } from '../joining/prepared-plan.ts'

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

const NONE: readonly never[] = []

/** A delivered object, and the objects in that field of it which is being read. */
class Level {
  object: JsonObject = {}
  position: PositionId = ROOT_POSITION
  occurrence = 0
  /** The fields that lead to objects which have to be recorded. */
  fields: readonly ShapeField[] = NONE
  /** Index of the next field. */
  index = 0
  shape: ObjectShape | null = null
  /** The objects as they were delivered; null where a null was delivered. */
  objects: readonly (JsonObject | null)[] = NONE
  /** Number of the first of these objects. */
  first = 0
  /** Index of the next of these objects. */
  next = 0
}

/** Records the objects in a delivered object, a few at a time. */
export class RecordDelivered implements SlicedWork {
  readonly #plan: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #delivered: DeliveredObjects
  readonly #budget: WorkBudget
  readonly #levels: Level[] = []
  #top = -1
  readonly #walk = new ListWalk()
  /** The objects found so far in the list that is being walked; null if none is. */
  #collected: (JsonObject | null)[] | null = null

  constructor(plan: DeliveryPlan, occurrences: Occurrences, delivered: DeliveredObjects, budget: WorkBudget) {
    this.#plan = plan
    this.#occurrences = occurrences
    this.#delivered = delivered
    this.#budget = budget
  }

  /** Begins with an object, of which `object` was delivered now. */
  begin(shape: ObjectShape, occurrence: number, object: JsonObject): this {
    const { position } = shape
    const fields = fieldsFor(this.#plan.leading(shape), this.#occurrences.type(position, occurrence))
    if (fields.length === 0) return this
    const level = (this.#levels[++this.#top] ??= new Level())
    level.object = object
    level.position = position
    level.occurrence = occurrence
    level.fields = fields
    level.index = 0
    level.objects = NONE
    level.next = 0
    return this
  }

  proceed(steps: number): boolean {
    const slice = Math.min(steps, 2 ** 30)
    let left = slice
    while (this.#top >= 0 && left > 0) {
      const level = this.#levels[this.#top]
      if (level === undefined) break
      if (this.#collected !== null) left = this.#collect(level, this.#collected, left)
      else {
        left--
        if (level.next < level.objects.length) this.#nextObject(level)
        else this.#nextField(level)
      }
    }
    this.#budget.step(slice - left)
    return this.#top < 0
  }

  /** Goes on with a list. Returns the steps that are left. */
  #collect(level: Level, collected: (JsonObject | null)[], steps: number): number {
    const left = this.#walk.proceed(steps, null, collected)
    if (left < 0) return 0
    level.objects = collected
    level.next = 0
    this.#collected = null
    return left
  }

  #nextObject(level: Level): void {
    const object = level.objects[level.next]
    const occurrence = level.first + level.next++
    if (object !== null && object !== undefined && level.shape !== null)
      this.#note(level.shape, occurrence, object)
  }

  #note(shape: ObjectShape, occurrence: number, object: JsonObject): void {
    this.#delivered.add(shape.position, occurrence)
    this.begin(shape, occurrence, object)
  }

  #nextField(level: Level): void {
    const field = level.fields[level.index++]
    if (field === undefined) this.#top--
    else if (field.kind === 'field') this.#beginField(level, field)
  }

  #beginField(level: Level, field: DataField): void {
    const shape = objectIn(field.node)
    const delivered = read(level.object, field.key)
    if (shape === null || delivered === null || delivered === undefined) return
    const { position, occurrence } = level
    level.shape = shape
    level.first = this.#occurrences.start(shape.position, occurrence)
    if (field.source !== null) {
      if (field.node.kind === 'list') this.#delivered.addList(shape.position)
      // Completion keeps every object at its index, so the value as it was sent and as it was delivered
      // differ in nulls only.
      const sent = this.#occurrences.value(position, field.source.slot, occurrence, field.source.key)
      if (Array.isArray(sent)) {
        this.#walk.begin(sent, delivered)
        this.#collected = []
        return
      }
      if (!isJsonObject(sent)) return
    }
    if (isJsonObject(delivered)) this.#note(shape, level.first, delivered)
  }
}
