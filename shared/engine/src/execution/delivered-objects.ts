import type { ObjectShape, PositionId, ShapeField } from '../plan/plan.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import { isJsonObject, type JsonObject, read } from './json-object.ts'
import { collectObjects } from './object-lists.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn } from './prepared-plan.ts'

type DataField = Extract<ShapeField, { readonly kind: 'field' }>

/**
 * Which objects the client has by now. An object that a subgraph sent may be missing from the response, because a null
 * took its place; nothing is delivered into it, and nothing is fetched for it. Only objects are noted that a later part
 * may have to do with.
 */
export class DeliveredObjects {
  readonly #plan: DeliveryPlan
  readonly #occurrences: Occurrences
  /** By position: true for each occurrence that the client has. A list is a third of the cost of a Set of their numbers. */
  readonly #occurring = new Map<PositionId, boolean[]>()
  /** Positions of which the client has the list, be it empty or full of nulls. */
  readonly #listed = new Set<PositionId>()

  constructor(plan: DeliveryPlan, occurrences: Occurrences) {
    this.#plan = plan
    this.#occurrences = occurrences
  }

  has(position: PositionId, occurrence: number): boolean {
    return this.#occurring.get(position)?.[occurrence] === true
  }

  /** Whether the client has every object that subgraphs sent for a position. */
  hasAll(position: PositionId): boolean {
    const count = this.#occurrences.count(position)
    for (let occurrence = 0; occurrence < count; occurrence++)
      if (!this.has(position, occurrence)) return false
    return true
  }

  /** Whether one of the objects at a position that the client has is such an object. */
  some(position: PositionId, isSuch: (occurrence: number) => boolean): boolean {
    return (
      this.#occurring.get(position)?.some((isThere, occurrence) => isThere && isSuch(occurrence)) === true
    )
  }

  hasList(position: PositionId): boolean {
    return this.#listed.has(position)
  }

  /** Takes note of what was delivered of an object, and of the objects within that. */
  note(shape: ObjectShape, occurrence: number, object: JsonObject): void {
    this.#noteOwn(shape.position, occurrence)
    this.noteWithin(shape, occurrence, object)
  }

  /** The same of an object that the client has already. */
  noteWithin(shape: ObjectShape, occurrence: number, object: JsonObject): void {
    const { position } = shape
    for (const field of fieldsFor(this.#plan.leading(shape), this.#occurrences.type(position, occurrence)))
      if (field.kind === 'field') this.#noteField(field, position, occurrence, read(object, field.key))
  }

  #noteOwn(position: PositionId, occurrence: number): void {
    let occurring = this.#occurring.get(position)
    if (occurring === undefined) this.#occurring.set(position, (occurring = []))
    occurring[occurrence] = true
  }

  #noteField(field: DataField, position: PositionId, parent: number, delivered: unknown): void {
    const shape = objectIn(field.node)
    if (shape === null || delivered === null || delivered === undefined) return
    const first = this.#occurrences.start(shape.position, parent)
    if (field.source === null) {
      if (isJsonObject(delivered)) this.note(shape, first, delivered)
      return
    }
    if (field.node.kind === 'list') this.#listed.add(shape.position)
    // Completion keeps every object at its place, so the two values are alike but for what became null.
    const { slot, key } = field.source
    const objects: (JsonObject | null)[] = []
    collectObjects(this.#occurrences.value(position, slot, parent, key), null, delivered, objects)
    let next = first
    for (const object of objects) {
      if (object !== null) this.note(shape, next, object)
      next++
    }
  }
}
