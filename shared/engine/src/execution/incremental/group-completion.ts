import type { AnswerCost } from '../../cost/operation-costs.ts'
import type { GroupId, PositionId } from '../../ids/ids.ts'
import type { DeliveryGroup, ObjectShape } from '../../plan/contract/plan.ts'
import type { Task } from '../../work/slices.ts'
import type { Announcements } from './announcements.ts'
import type { PendingEntry } from './delivery-plan.ts'
import type { Path } from '../errors/client-paths.ts'
import type { Completion } from '../completion/completion.ts'
import type { IncrementalEntry } from '../contract/incremental-response.ts'
import { GroupObjects, type DeliverySources } from './group-objects.ts'
import { fieldsFor } from '../joining/prepared-plan.ts'
import { type GroupFields, hasFields } from './projections.ts'

/** The object that could not be completed, which is an object of the group or below one. */
export type FailedObject = {
  /** The fields that the group delivers into the object. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly path: Path
}

/** A delivered object with objects in it that matter for groups that come later. */
export type LeadingObject = {
  /** All fields of the object, whichever groups deliver them. */
  readonly shape: ObjectShape
  readonly occurrence: number
  readonly data: IncrementalEntry['data']
}

/** An object that the deferred fragment is on, and into which nothing is delivered. */
export type UndeliveredObject = {
  /** The entry of `pending` that the object belongs to. */
  readonly announced: PendingEntry
  readonly position: PositionId
  readonly occurrence: number
  readonly path: Path
  /** The object that could not be completed. */
  readonly at: FailedObject
}

/** The content that a group delivers, before its errors are placed. */
export type CompletedGroup = {
  readonly entries: readonly IncrementalEntry[]
  readonly leading: readonly LeadingObject[]
  readonly failures: readonly UndeliveredObject[]
  /** The failures by the id of their entry of `pending`. */
  readonly failuresOf: ReadonlyMap<string, readonly UndeliveredObject[]>
  /** The cost of each entry; empty if costs are not counted. */
  readonly costs: readonly number[]
}

/** Facts that are the same for all objects of a shape, as long as the same groups are lost. */
type ShapeFacts = {
  readonly shape: ObjectShape
  readonly lost: ReadonlySet<GroupId>
  readonly fields: GroupFields
  /** Whether there are objects in it that matter for groups that come later. */
  readonly leads: boolean
}

/** An object that the deferred fragment is on. */
type OwnObject = {
  /** The entry of `pending` that it belongs to. */
  readonly announced: PendingEntry
  readonly position: PositionId
  readonly occurrence: number
  /** Length of its path. */
  readonly depth: number
  /** How many entries and leading objects there were before it. */
  readonly entries: number
  readonly leading: number
}

/**
 * Completes the content of a group: for each object that its deferred fragment is on, the fields of the group
 * there and in the objects below, in the order of the response. `completion` must not be used for anything
 * else meanwhile. `cost` counts the delivered fields, and is null if costs are not counted.
 */
export function completeGroup(
  group: DeliveryGroup,
  sources: DeliverySources,
  announcements: Announcements,
  completion: Completion,
  cost: AnswerCost | null,
): Task<CompletedGroup> {
  return new GroupCompletion(group, sources, announcements, completion, cost).complete()
}

class GroupCompletion {
  readonly #group: DeliveryGroup
  readonly #sources: DeliverySources
  readonly #announcements: Announcements
  readonly #completion: Completion
  readonly #objects: GroupObjects
  readonly #cost: AnswerCost | null
  readonly #costs: number[] = []
  readonly #entries: IncrementalEntry[] = []
  readonly #leading: LeadingObject[] = []
  readonly #failures: UndeliveredObject[] = []
  readonly #failuresOf = new Map<string, UndeliveredObject[]>()
  /** The object of the deferred fragment that is being completed. */
  #own: OwnObject | null = null
  #last: ShapeFacts | null = null

  constructor(
    group: DeliveryGroup,
    sources: DeliverySources,
    announcements: Announcements,
    completion: Completion,
    cost: AnswerCost | null,
  ) {
    this.#cost = cost
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
      const { fields, leads } = this.#facts(shape, occurrence)
      if (fields.hasOwn && this.#delivers(fields.ownFields, occurrence)) {
        this.#completion.beginObject(fields.ownFields, occurrence, objects.path)
        if (!this.#completion.proceed(pace.slice)) yield this.#completion
        const data = this.#completion.result
        if (data === null) {
          this.#fail(own, { shape: fields.ownFields, occurrence, path: [...objects.path] })
          continue
        }
        this.#entries.push(this.#entry(data, own.announced))
        if (this.#cost !== null)
          this.#costs.push(this.#cost.added(shape, occurrence, data, this.#sources.occurrences))
        if (leads) this.#leading.push({ shape, occurrence, data })
      }
      if (fields.hasPassed) objects.enter(fields.passedFields)
    }
    return {
      entries: this.#entries,
      leading: this.#leading,
      failures: this.#failures,
      failuresOf: this.#failuresOf,
      costs: this.#costs,
    }
  }

  /** Begins an object of the deferred fragment; null if it was not announced. */
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

  /**
   * Takes back the entries of an object of the deferred fragment, since something in it could not be
   * completed.
   */
  #fail({ announced, position, occurrence, depth, entries, leading }: OwnObject, at: FailedObject): void {
    this.#entries.length = entries
    if (this.#cost !== null) this.#costs.length = entries
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

  /** `subPath` is the path of the object without the announced path. */
  #entry(data: IncrementalEntry['data'], { id, path: { length } }: PendingEntry): IncrementalEntry {
    const { path } = this.#objects
    return path.length > length ? { data, id, subPath: path.slice(length) } : { data, id }
  }

  /** Keeps what it returned last: the objects of a list have one shape, and most often no group is lost. */
  #facts(shape: ObjectShape, occurrence: number): ShapeFacts {
    const { delivery, progress } = this.#sources
    const lost = progress.lostAt(this.#group, shape.position, occurrence)
    if (this.#last?.shape === shape && this.#last.lost === lost) return this.#last
    const fields = delivery.projections(this.#group.id, lost).fieldsOf(shape)
    return (this.#last = { shape, lost, fields, leads: hasFields(delivery.leading(shape)) })
  }
}
