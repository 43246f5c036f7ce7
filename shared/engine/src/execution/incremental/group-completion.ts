import type { GroupId, PositionId } from '../../ids.ts'
import type { DeliveryGroup, ObjectShape } from '../../plan/plan.ts'
import type { Task } from '../../work/slices.ts'
import type { Announcements } from './announcements.ts'
import type { PendingEntry } from './delivery-plan.ts'
import type { Path } from '../errors/client-paths.ts'
import type { Completion } from '../completion/completion.ts'
import type { IncrementalEntry } from '../contract/incremental-response.ts'
import { GroupObjects, type DeliverySources } from './group-objects.ts'
import { fieldsFor } from '../joining/prepared-plan.ts'
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
  readonly announced: PendingEntry
  readonly position: PositionId
  readonly occurrence: number
  readonly path: Path
  readonly at: ObjectPart
}

export type CompletedGroup = {
  readonly entries: readonly IncrementalEntry[]
  readonly leading: readonly LeadingObject[]
  /** Objects of the fragment into which nothing is delivered; `at` could not be completed in each. */
  readonly failures: readonly Failure[]
  /** The same by the id that they were announced with. */
  readonly failuresOf: ReadonlyMap<string, readonly Failure[]>
}

/** What is the same for all objects of a shape for which the same groups are lost. */
type ShapeFacts = {
  readonly shape: ObjectShape
  readonly lost: ReadonlySet<GroupId>
  readonly cut: Cut
  /** Whether a later part may have to do with objects in it. */
  readonly leads: boolean
}

/** An object that the fragment is on. */
type OwnObject = {
  /** With what it was announced. */
  readonly announced: PendingEntry
  readonly position: PositionId
  readonly occurrence: number
  /** Length of its path. */
  readonly depth: number
  /** How many there were of each before it. */
  readonly entries: number
  readonly leading: number
}

/**
 * Completes what a group delivers: for each object of its fragment the fields there and in the objects below, in pre-order.
 * `completion` is used for nothing else meanwhile.
 */
export function completeGroup(
  group: DeliveryGroup,
  sources: DeliverySources,
  announcements: Announcements,
  completion: Completion,
): Task<CompletedGroup> {
  return new GroupCompletion(group, sources, announcements, completion).complete()
}

class GroupCompletion {
  readonly #group: DeliveryGroup
  readonly #sources: DeliverySources
  readonly #announcements: Announcements
  readonly #completion: Completion
  readonly #objects: GroupObjects
  readonly #entries: IncrementalEntry[] = []
  readonly #leading: LeadingObject[] = []
  readonly #failures: Failure[] = []
  readonly #failuresOf = new Map<string, Failure[]>()
  /** The object of the fragment that is completed. */
  #own: OwnObject | null = null
  #last: ShapeFacts | null = null

  constructor(
    group: DeliveryGroup,
    sources: DeliverySources,
    announcements: Announcements,
    completion: Completion,
  ) {
    this.#group = group
    this.#sources = sources
    this.#announcements = announcements
    this.#completion = completion
    this.#objects = new GroupObjects(group, sources)
  }

  *complete(): Task<CompletedGroup> {
    const { pace } = this.#sources
    const objects = this.#objects
    for (;;) {
      if (!objects.proceed(pace.slice)) yield objects
      const { shape, occurrence } = objects
      if (shape === null) break
      if (objects.isOwn) this.#own = this.#begin(shape.position, occurrence)
      const own = this.#own
      if (own === null) continue
      const { cut, leads } = this.#facts(shape, occurrence)
      if (cut.hasPart && this.#delivers(cut.part, occurrence)) {
        this.#completion.beginObject(cut.part, occurrence, objects.path)
        if (!this.#completion.proceed(pace.slice)) yield this.#completion
        const data = this.#completion.result
        if (data === null) {
          this.#fail(own, { shape: cut.part, occurrence, path: [...objects.path] })
          continue
        }
        this.#entries.push(this.#entry(data, own.announced))
        if (leads) this.#leading.push({ shape, occurrence, data })
      }
      if (cut.hasWays) objects.enter(cut.ways)
    }
    return {
      entries: this.#entries,
      leading: this.#leading,
      failures: this.#failures,
      failuresOf: this.#failuresOf,
    }
  }

  /** null: it was not announced. */
  #begin(position: PositionId, occurrence: number): OwnObject | null {
    const announced = this.#announcements.at(this.#group.id, position, occurrence)
    if (announced === null) return null
    return {
      announced,
      position,
      occurrence,
      depth: this.#objects.path.length,
      entries: this.#entries.length,
      leading: this.#leading.length,
    }
  }

  /** Takes back what was completed of an object, since something in it could not be. */
  #fail({ announced, position, occurrence, depth, entries, leading }: OwnObject, at: ObjectPart): void {
    this.#entries.length = entries
    this.#leading.length = leading
    const failure = { announced, position, occurrence, path: at.path.slice(0, depth), at }
    this.#failures.push(failure)
    const others = this.#failuresOf.get(announced.id)
    if (others === undefined) this.#failuresOf.set(announced.id, [failure])
    else others.push(failure)
    this.#objects.leave()
  }

  #delivers(part: ObjectShape, occurrence: number): boolean {
    return fieldsFor(part, this.#sources.occurrences.type(part.position, occurrence)).length > 0
  }

  /** What was announced of the path goes without saying. */
  #entry(data: IncrementalEntry['data'], { id, path: { length } }: PendingEntry): IncrementalEntry {
    const { path } = this.#objects
    return path.length > length ? { data, id, subPath: path.slice(length) } : { data, id }
  }

  /** The objects of a list are all of one shape, and most often no group is lost: what was looked up last is kept. */
  #facts(shape: ObjectShape, occurrence: number): ShapeFacts {
    const { delivery, progress } = this.#sources
    const lost = progress.lostAt(this.#group, shape.position, occurrence)
    if (this.#last?.shape === shape && this.#last.lost === lost) return this.#last
    const cut = delivery.projections(this.#group.id, lost).cut(shape)
    return (this.#last = { shape, lost, cut, leads: hasFields(delivery.leading(shape)) })
  }
}
