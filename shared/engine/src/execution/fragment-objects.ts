import type { Group, ObjectShape, PositionId } from '../plan/plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import { visitObjects } from './object-lists.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn, type PreparedPlan } from './prepared-plan.ts'
import { NONE_LOST } from './projections.ts'

/** What the walks over the response work with; the same for all groups of an execution. */
export type FragmentSources = {
  readonly prepared: PreparedPlan
  readonly delivery: DeliveryPlan
  readonly occurrences: Occurrences
  readonly delivered: DeliveredObjects
  readonly progress: FragmentProgress
}

export type ObjectVisit = (shape: ObjectShape, occurrence: number) => void

/** Visits objects that the client has, in the order of the response. */
export class FragmentObjects {
  /**
   * Of the object that is looked at. One that grows and shrinks with the walk: a list has very many objects, and a path, an
   * object for it and a function for each of them were half of what a fragment cost.
   */
  readonly path: (string | number)[] = []
  readonly #sources: FragmentSources

  constructor(sources: FragmentSources) {
    this.#sources = sources
  }

  /** Visits the objects that a fragment is on. */
  visit(group: Group, visit: ObjectVisit): void {
    const { delivery, prepared, progress } = this.#sources
    const projections = delivery.projections(group.id, NONE_LOST)
    const search: ObjectVisit = (shape, occurrence) => {
      if (!isAnchor(group, shape.position)) this.below(projections.cut(shape).ways, occurrence, search)
      else if (progress.isAnchored(group, shape.position, occurrence)) visit(shape, occurrence)
    }
    search(prepared.plan.shape, 0)
  }

  /** Visits the objects of all fields of a shape. */
  below(shape: ObjectShape, parent: number, visit: ObjectVisit): void {
    for (const field of fieldsFor(shape, this.#sources.occurrences.type(shape.position, parent))) {
      const below = field.kind === 'field' ? objectIn(field.node) : null
      if (below !== null) this.#objects(below, parent, visit)
    }
  }

  #objects(shape: ObjectShape, parent: number, visit: ObjectVisit): void {
    const { occurrences, delivered, prepared } = this.#sources
    const { id, responseKey, providers, parent: above } = occurrences.position(shape.position)
    const first = occurrences.start(id, parent)
    if (occurrences.start(id, parent + 1) === first) return
    const { path } = this
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

function isAnchor({ anchors }: Group, position: PositionId): boolean {
  for (const { at } of anchors) if (at === position) return true
  return false
}
