import type { Group, GroupId, ObjectShape, PositionId } from '../plan/plan.ts'
import type { Path } from './client-paths.ts'
import type { Completion } from './complete.ts'
import type { IncrementalEntry } from './contract.ts'
import type { DeliveryPlan } from './delivery-plan.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import type { FragmentProgress } from './fragment-progress.ts'
import { visitObjects } from './object-lists.ts'
import type { Occurrences } from './occurrences.ts'
import { fieldsFor, objectIn, type PreparedPlan } from './prepared-plan.ts'
import { type Cut, hasFields, NONE_LOST } from './projections.ts'

/** A part of an object of the response. */
export type ObjectPart = {
  /** Of what the group delivers of the object. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly path: Path
}

/** An object in which there are others that a later part may have to do with. */
export type LeadingObject = {
  /** Of the whole object, whoever delivers what of it. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly data: IncrementalEntry['data']
}

type Failure = {
  readonly position: PositionId
  readonly occurrence: number
  readonly path: Path
  readonly at: ObjectPart
}

export type CompletedFragment = {
  readonly entries: readonly IncrementalEntry[]
  readonly leading: readonly LeadingObject[]
  /** Objects of the fragment into which nothing is delivered; `at` could not be completed in each. */
  readonly failures: readonly Failure[]
}

/** What is the same for all objects of a shape for which the same groups are lost. */
type ShapeFacts = {
  readonly shape: ObjectShape
  readonly lost: ReadonlySet<GroupId>
  readonly cut: Cut
  /** Whether a later part may have to do with objects in it. */
  readonly leads: boolean
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
  readonly #entries: IncrementalEntry[] = []
  readonly #leading: LeadingObject[] = []
  readonly #failures: Failure[] = []
  #last: ShapeFacts | null = null
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
    return { entries: this.#entries, leading: this.#leading, failures: this.#failures }
  }

  /** Goes on to the objects that the fragment is on. */
  readonly #search = (shape: ObjectShape, occurrence: number): void => {
    const { position } = shape
    const group = this.#group
    const { progress } = this.#sources
    if (!isAnchor(group, position))
      return this.#below(this.#facts(shape, NONE_LOST).cut.ways, occurrence, this.#search)
    if (!progress.isAnchored(group, position, occurrence)) return
    const entries = this.#entries.length
    const leading = this.#leading.length
    this.#failed = null
    this.#completeWithin(shape, occurrence)
    if (this.#failed === null) return
    this.#entries.length = entries
    this.#leading.length = leading
    this.#failures.push({ position, occurrence, path: [...this.#path], at: this.#failed })
  }

  /** Adds what the group delivers into an object, until something could not be completed. */
  readonly #completeWithin = (shape: ObjectShape, occurrence: number): void => {
    if (this.#failed !== null) return
    const { progress } = this.#sources
    const { cut, leads } = this.#facts(shape, progress.lostAt(this.#group, shape.position, occurrence))
    if (cut.hasPart && this.#delivers(cut.part, occurrence)) {
      const data = this.#completion.object(cut.part, occurrence, this.#path)
      if (data === null) {
        this.#failed = { shape: cut.part, occurrence, path: [...this.#path] }
        return
      }
      this.#entries.push(this.#entry(data))
      if (leads) this.#leading.push({ shape, occurrence, data })
    }
    if (cut.hasWays) this.#below(cut.ways, occurrence, this.#completeWithin)
  }

  #delivers(part: ObjectShape, occurrence: number): boolean {
    return fieldsFor(part, this.#sources.occurrences.type(part.position, occurrence)).length > 0
  }

  #entry(data: IncrementalEntry['data']): IncrementalEntry {
    const id = this.#id
    return this.#path.length > this.#depth
      ? { data, id, subPath: this.#path.slice(this.#depth) }
      : { data, id }
  }

  /** The objects of a list are all of one shape, and most often no group is lost: what was looked up last is kept. */
  #facts(shape: ObjectShape, lost: ReadonlySet<GroupId>): ShapeFacts {
    if (this.#last?.shape === shape && this.#last.lost === lost) return this.#last
    const { delivery } = this.#sources
    const cut = delivery.projections(this.#group.id, lost).cut(shape)
    return (this.#last = { shape, lost, cut, leads: hasFields(delivery.leading(shape)) })
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

function isAnchor({ anchors }: Group, position: PositionId): boolean {
  for (const { at } of anchors) if (at === position) return true
  return false
}
