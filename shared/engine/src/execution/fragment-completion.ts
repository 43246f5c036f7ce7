import type { Group, ObjectShape, PositionId, ShapeField } from '../plan/plan.ts'
import type { ClientPaths, Path } from './client-paths.ts'
import type { Completion } from './complete.ts'
import { type DeliveryPlan, delivererOf } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import type { JsonObject } from './json-object.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn } from './prepared-plan.ts'

/** A part of an object of the response. */
export type ObjectPart = {
  /** Of what the group delivers of the object. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly path: Path
}

export type DeliveredPart = Omit<ObjectPart, 'shape'> & {
  /** Of the whole object, whoever delivers what of it. */
  readonly shape: ObjectShape
  readonly data: JsonObject
}

type Failure = {
  readonly position: PositionId
  readonly occurrence: number
  readonly path: Path
  readonly at: ObjectPart
}

export type CompletedFragment = {
  readonly parts: readonly DeliveredPart[]
  /** Objects of the fragment into which nothing is delivered; `at` could not be completed in each. */
  readonly failures: readonly Failure[]
}

/** Completes what a group delivers: for each object of its fragment the fields there and in the objects below, in pre-order. */
export class FragmentCompletion {
  readonly #shape: ObjectShape
  readonly #delivery: DeliveryPlan
  readonly #occurrences: Occurrences
  readonly #paths: ClientPaths
  readonly #delivered: DeliveredObjects
  readonly #progress: FragmentProgress

  constructor(
    shape: ObjectShape,
    delivery: DeliveryPlan,
    occurrences: Occurrences,
    paths: ClientPaths,
    delivered: DeliveredObjects,
    progress: FragmentProgress,
  ) {
    this.#shape = shape
    this.#delivery = delivery
    this.#occurrences = occurrences
    this.#paths = paths
    this.#delivered = delivered
    this.#progress = progress
  }

  complete(group: Group, completion: Completion): CompletedFragment {
    const parts: DeliveredPart[] = []
    const failures: Failure[] = []
    const visit = (shape: ObjectShape, occurrence: number): void => {
      const { position } = shape
      if (!group.anchors.some(({ at }) => at === position)) {
        for (const field of this.#fields(shape, occurrence)) this.#below(field, group, occurrence, visit)
        return
      }
      if (!this.#progress.isAnchored(group, position, occurrence)) return
      const own: DeliveredPart[] = []
      const failed = this.#completeWithin(group, shape, occurrence, completion, own)
      if (failed === null) parts.push(...own)
      else
        failures.push({
          position,
          occurrence,
          path: this.#paths.ofOccurrence(position, occurrence),
          at: failed,
        })
    }
    visit(this.#shape, 0)
    return { parts, failures }
  }

  /** Appends what the group delivers into an object; what could not be completed, if a violation reached the fragment. */
  #completeWithin(
    group: Group,
    shape: ObjectShape,
    occurrence: number,
    completion: Completion,
    into: DeliveredPart[],
  ): ObjectPart | null {
    const { position } = shape
    const lost = this.#progress.lostAt(group, position, occurrence)
    const own = this.#delivery.partOf(shape, group.id, lost)
    if (this.#fields(own, occurrence).length > 0) {
      const path = this.#paths.ofOccurrence(position, occurrence)
      const data = completion.object(own, occurrence, path)
      if (data === null) return { shape: own, occurrence, path }
      into.push({ shape, occurrence, path, data })
    }
    let failed: ObjectPart | null = null
    for (const field of this.#fields(shape, occurrence))
      if (delivererOf(field, lost) !== group.id)
        this.#below(field, group, occurrence, (below, inner) => {
          failed ??= this.#completeWithin(group, below, inner, completion, into)
        })
    return failed
  }

  /** Objects of a field which the client has, if the group may have something to deliver there. */
  #below(
    field: ShapeField,
    group: Group,
    parent: number,
    visit: (shape: ObjectShape, occurrence: number) => void,
  ): void {
    if (field.kind !== 'field' || !this.#delivery.carries(field.node, group.id)) return
    const shape = objectIn(field.node)
    if (shape === null) return
    const end = this.#occurrences.start(shape.position, parent + 1)
    for (let inner = this.#occurrences.start(shape.position, parent); inner < end; inner++)
      if (this.#delivered.has(shape.position, inner)) visit(shape, inner)
  }

  #fields(shape: ObjectShape, occurrence: number): readonly ShapeField[] {
    return fieldsFor(shape, this.#occurrences.type(shape.position, occurrence))
  }
}
