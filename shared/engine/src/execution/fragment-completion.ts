import type { Group, GroupId, ObjectShape, PositionId } from '../plan/plan.ts'
import type { Announced, Announcements } from './announcements.ts'
import type { Path } from './client-paths.ts'
import type { Completion } from './complete.ts'
import type { IncrementalEntry } from './contract.ts'
import { FragmentObjects, type FragmentSources, type ObjectVisit } from './fragment-objects.ts'
import { fieldsFor } from './prepared-plan.ts'
import { type Cut, hasFields } from './projections.ts'

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

export type Failure = {
  /** With what the object was announced. */
  readonly announced: Announced
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

/** Completes what a group delivers: for each object of its fragment the fields there and in the objects below, in pre-order. */
export function completeFragment(
  group: Group,
  sources: FragmentSources,
  announcements: Announcements,
  completion: Completion,
): CompletedFragment {
  return new FragmentCompletion(group, sources, announcements, completion).complete()
}

class FragmentCompletion {
  readonly #group: Group
  readonly #sources: FragmentSources
  readonly #announcements: Announcements
  readonly #completion: Completion
  readonly #objects: FragmentObjects
  readonly #path: Path
  readonly #entries: IncrementalEntry[] = []
  readonly #leading: LeadingObject[] = []
  readonly #failures: Failure[] = []
  #id = ''
  /** How much of each path goes without saying, since it was announced. */
  #depth = 0
  #last: ShapeFacts | null = null
  /** What could not be completed of the object of the fragment that is looked at, if a violation reached it. */
  #failed: ObjectPart | null = null

  constructor(group: Group, sources: FragmentSources, announcements: Announcements, completion: Completion) {
    this.#group = group
    this.#sources = sources
    this.#announcements = announcements
    this.#completion = completion
    this.#objects = new FragmentObjects(sources)
    this.#path = this.#objects.path
  }

  complete(): CompletedFragment {
    this.#objects.visit(this.#group, (shape, occurrence) => this.#completeObject(shape, occurrence))
    return { entries: this.#entries, leading: this.#leading, failures: this.#failures }
  }

  #completeObject(shape: ObjectShape, occurrence: number): void {
    const { position } = shape
    const announced = this.#announcements.at(this.#group.id, position, occurrence)
    if (announced === null) return
    this.#id = announced.id
    this.#depth = announced.path.length
    const entries = this.#entries.length
    const leading = this.#leading.length
    this.#failed = null
    this.#completeWithin(shape, occurrence)
    if (this.#failed === null) return
    this.#entries.length = entries
    this.#leading.length = leading
    this.#failures.push({ announced, position, occurrence, path: [...this.#path], at: this.#failed })
  }

  /** Adds what the group delivers into an object, until something could not be completed. */
  readonly #completeWithin: ObjectVisit = (shape, occurrence) => {
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
    if (cut.hasWays) this.#objects.below(cut.ways, occurrence, this.#completeWithin)
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
}
