import type { Group, ObjectShape, PositionId } from '../plan/plan.ts'
import type { Path } from './client-paths.ts'
import type { Completion } from './complete.ts'
import type { IncrementalEntry } from './contract.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import { visitObjects } from './object-lists.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn, type PreparedPlan } from './prepared-plan.ts'
import { NONE_LOST } from './projections.ts'

/** A part of an object of the response. */
export type ObjectPart = {
  /** Of what the group delivers of the object. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly path: Path
}

export type DeliveredPart = {
  /** Of the whole object, whoever delivers what of it. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly entry: IncrementalEntry
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

/** What the fragment completion works with; the same for all groups of an execution. */
export type FragmentSources = {
  readonly prepared: PreparedPlan
  readonly delivery: DeliveryPlan
  readonly occurrences: Occurrences
  readonly delivered: DeliveredObjects
  readonly progress: FragmentProgress
}

/** Completes what a group delivers: for each object of its fragment the fields there and in the objects below, in pre-order. */
export function completeFragment(
  group: Group,
  sources: FragmentSources,
  completion: Completion,
): CompletedFragment {
  return new FragmentCompletion(group, sources, completion).complete()
}

class FragmentCompletion {
  readonly #group: Group
  readonly #sources: FragmentSources
  readonly #completion: Completion
  readonly #id: string
  /** How much of each path goes without saying, since the fragment was announced with it. */
  readonly #depth: number
  /**
   * Of the object that is looked at. One that grows and shrinks with the walk: a list has very many objects, and a path, an
   * object for it and a function for each of them were half of what a fragment cost.
   */
  readonly #path: (string | number)[] = []
  readonly #parts: DeliveredPart[] = []
  readonly #failures: Failure[] = []
  /** What could not be completed of the object of the fragment that is looked at, if a violation reached it. */
  #failed: ObjectPart | null = null

  constructor(group: Group, sources: FragmentSources, completion: Completion) {
    this.#group = group
    this.#sources = sources
    this.#completion = completion
    this.#id = String(group.id)
    this.#depth = sources.delivery.announcement(group.id).path.length
  }

  complete(): CompletedFragment {
    this.#search(this.#sources.prepared.plan.shape, 0)
    return { parts: this.#parts, failures: this.#failures }
  }

  /** Goes on to the objects that the fragment is on. */
  readonly #search = (shape: ObjectShape, occurrence: number): void => {
    const { position } = shape
    const group = this.#group
    const { delivery, progress } = this.#sources
    if (!group.anchors.some(({ at }) => at === position))
      return this.#below(delivery.projections(group.id, NONE_LOST).ways(shape), occurrence, this.#search)
    if (!progress.isAnchored(group, position, occurrence)) return
    const before = this.#parts.length
    this.#failed = null
    this.#completeWithin(shape, occurrence)
    if (this.#failed === null) return
    this.#parts.length = before
    this.#failures.push({ position, occurrence, path: [...this.#path], at: this.#failed })
  }

  /** Adds what the group delivers into an object, until something could not be completed. */
  readonly #completeWithin = (shape: ObjectShape, occurrence: number): void => {
    if (this.#failed !== null) return
    const { position } = shape
    const { delivery, occurrences, progress } = this.#sources
    const lost = progress.lostAt(this.#group, position, occurrence)
    const projections = delivery.projections(this.#group.id, lost)
    const own = projections.part(shape)
    if (fieldsFor(own, occurrences.type(position, occurrence)).length > 0) {
      const data = this.#completion.object(own, occurrence, this.#path)
      if (data === null) {
        this.#failed = { shape: own, occurrence, path: [...this.#path] }
        return
      }
      const subPath = this.#path.slice(this.#depth)
      const entry = subPath.length > 0 ? { data, id: this.#id, subPath } : { data, id: this.#id }
      this.#parts.push({ shape, occurrence, entry })
    }
    this.#below(projections.ways(shape), occurrence, this.#completeWithin)
  }

  /** Visits the objects of all fields that the client has. */
  #below(shape: ObjectShape, parent: number, visit: (shape: ObjectShape, occurrence: number) => void): void {
    for (const field of fieldsFor(shape, this.#sources.occurrences.type(shape.position, parent))) {
      const below = field.kind === 'field' ? objectIn(field.node) : null
      if (below !== null) this.#objects(below, parent, visit)
    }
  }

  #objects(
    shape: ObjectShape,
    parent: number,
    visit: (shape: ObjectShape, occurrence: number) => void,
  ): void {
    const { occurrences, delivered, prepared } = this.#sources
    const { id, responseKey, providers, parent: above } = occurrences.position(shape.position)
    const first = occurrences.start(id, parent)
    if (occurrences.start(id, parent + 1) === first) return
    const path = this.#path
    if (responseKey !== null) path.push(responseKey)
    const [provider] = providers
    if (provider?.kind === 'inline') {
      let next = first
      const value = occurrences.value(above, provider.slot, parent, provider.key)
      visitObjects(value, prepared.listDepths[id] ?? 0, path, () => {
        const occurrence = next++
        if (delivered.has(id, occurrence)) visit(shape, occurrence)
      })
    } else if (delivered.has(id, first)) visit(shape, first)
    if (responseKey !== null) path.pop()
  }
}
