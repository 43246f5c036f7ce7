import type { Group, ObjectShape, PositionId } from '../plan/plan.ts'
import type { ClientPaths, Path } from './client-paths.ts'
import type { Completion } from './complete.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import type { JsonObject } from './json-object.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn } from './prepared-plan.ts'
import { NONE_LOST } from './projections.ts'

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
    const toObjects = this.#delivery.projections(group.id, NONE_LOST)
    const visit = (shape: ObjectShape, occurrence: number, path: Path): void => {
      const { position } = shape
      if (!group.anchors.some(({ at }) => at === position))
        return this.#below(toObjects.ways(shape), occurrence, path, visit)
      if (!this.#progress.isAnchored(group, position, occurrence)) return
      const before = parts.length
      const failed = this.#completeWithin(group, { shape, occurrence, path }, completion, parts)
      if (failed === null) return
      parts.length = before
      failures.push({ position, occurrence, path, at: failed })
    }
    visit(this.#shape, 0, [])
    return { parts, failures }
  }

  /** Appends what the group delivers into an object; what could not be completed, if a violation reached the fragment. */
  #completeWithin(
    group: Group,
    { shape, occurrence, path }: ObjectPart,
    completion: Completion,
    into: DeliveredPart[],
  ): ObjectPart | null {
    const { position } = shape
    const projections = this.#delivery.projections(
      group.id,
      this.#progress.lostAt(group, position, occurrence),
    )
    const own = projections.part(shape)
    if (fieldsFor(own, this.#occurrences.type(position, occurrence)).length > 0) {
      const data = completion.object(own, occurrence, path)
      if (data === null) return { shape: own, occurrence, path }
      into.push({ shape, occurrence, path, data })
    }
    let failed: ObjectPart | null = null
    this.#below(projections.ways(shape), occurrence, path, (below, inner, innerPath) => {
      failed ??= this.#completeWithin(
        group,
        { shape: below, occurrence: inner, path: innerPath },
        completion,
        into,
      )
    })
    return failed
  }

  /** Visits the objects of all fields that the client has. */
  #below(
    shape: ObjectShape,
    parent: number,
    path: Path,
    visit: (shape: ObjectShape, occurrence: number, path: Path) => void,
  ): void {
    for (const field of fieldsFor(shape, this.#occurrences.type(shape.position, parent))) {
      const below = field.kind === 'field' ? objectIn(field.node) : null
      if (below === null) continue
      const first = this.#occurrences.start(below.position, parent)
      const count = this.#occurrences.start(below.position, parent + 1) - first
      if (count === 0) continue
      for (const [index, innerPath] of this.#paths.below(below.position, parent, path).entries())
        if (this.#delivered.has(below.position, first + index)) visit(below, first + index, innerPath)
    }
  }
}
