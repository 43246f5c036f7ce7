/**
 * Which entries of `pending` announce a delivery group, and to which entry an object of the group belongs.
 *
 * `pendingPer` decides that, and nothing else in the executor depends on it.
 */
import type { GroupId, PositionId } from '../../ids/ids.ts'
import type { DeliveryGroup } from '../../plan/contract/plan.ts'
import type { Task } from '../../work/slices.ts'
import type { PendingFragment, PendingPer } from '../contract/incremental-response.ts'
import type { PendingEntry } from './delivery-plan.ts'
import { type DeliverySources, GroupObjects } from './group-objects.ts'

/** The entries of `pending` of one response. */
export type Announcements = {
  /** Makes the entries of a group that is announced now; null if they need not be made. */
  announce(group: DeliveryGroup): Task | null
  /** The entries of a group; none if no object has its deferred fragment. */
  of(group: GroupId): readonly PendingEntry[]
  /** The entry that an object of the group belongs to; null if the object was not announced. */
  at(group: GroupId, position: PositionId, occurrence: number): PendingEntry | null
}

/**
 * Limits for one response. In a list of 10,000 objects with a few deferred fragments, the entries of
 * `pending` alone are megabytes. Each of them repeats a label and a path, and clients choose labels and
 * aliases as long as they like.
 */
const MAX_ANNOUNCED = 20_000
const MAX_CHARACTERS = 2 ** 21

/** Makes the announcements of groups. `per` is the scope of one entry of `pending`. */
export function announcementsFor(per: PendingPer, sources: DeliverySources): Announcements {
  switch (per) {
    case 'fragment':
      return fragmentAnnouncements(sources)
    case 'item':
      return new ItemAnnouncements(sources)
    default:
      return per satisfies never
  }
}

/** The entry as it is sent to the client. */
export function pendingFragment({ id, path }: PendingEntry, { label }: DeliveryGroup): PendingFragment {
  return label === null ? { id, path } : { id, path, label }
}

/**
 * One entry for each group, with the number of the group as its id, and a path that ends at the outermost
 * list.
 */
function fragmentAnnouncements({ delivery }: DeliverySources): Announcements {
  const of = (group: GroupId) => [delivery.announcement(group)]
  return {
    announce: () => null,
    of,
    at: (group) => delivery.announcement(group),
  }
}

type AnnouncedGroup = {
  readonly list: PendingEntry[]
  /** The entries by position and number of the object. */
  readonly byObject: Map<PositionId, PendingEntry[]>
  /** The only entry, if there were too many objects to announce each of them. */
  whole: PendingEntry | null
}

/**
 * One entry for each object that the deferred fragment of a group is on, with the path of the object.
 *
 * In a list the ids are the number of the group and that of the object: `2.1`, `2.2`, …, whatever is
 * delivered first. Traces name groups by the number before the point. A group that would exceed the limits of
 * a response has one entry instead.
 */
class ItemAnnouncements implements Announcements {
  readonly #sources: DeliverySources
  readonly #groups = new Map<GroupId, AnnouncedGroup>()
  #entriesLeft = MAX_ANNOUNCED
  #charactersLeft = MAX_CHARACTERS

  constructor(sources: DeliverySources) {
    this.#sources = sources
  }

  *announce(group: DeliveryGroup): Task {
    const announced: AnnouncedGroup = { list: [], byObject: new Map(), whole: null }
    this.#groups.set(group.id, announced)
    if (this.#affords(group)) yield* this.#announceObjects(group, announced)
    else {
      announced.whole = this.#sources.delivery.announcement(group.id)
      announced.list.push(announced.whole)
    }
  }

  of(group: GroupId): readonly PendingEntry[] {
    return this.#groups.get(group)?.list ?? []
  }

  at(group: GroupId, position: PositionId, occurrence: number): PendingEntry | null {
    const announced = this.#groups.get(group)
    return announced?.whole ?? announced?.byObject.get(position)?.[occurrence] ?? null
  }

  *#announceObjects(group: DeliveryGroup, { list, byObject }: AnnouncedGroup): Task {
    const { pace, delivery } = this.#sources
    const { id, isObject } = delivery.announcement(group.id)
    const objects = new GroupObjects(group, this.#sources)
    for (;;) {
      if (!objects.proceed(pace.slice)) yield objects
      const { shape, occurrence, path } = objects
      if (shape === null) return
      const own = isObject ? id : `${id}.${list.length + 1}`
      const announced = { id: own, path: [...path], isObject: true }
      list.push(announced)
      let here = byObject.get(shape.position)
      if (here === undefined) byObject.set(shape.position, (here = []))
      here[occurrence] = announced
    }
  }

  /**
   * Whether the objects of a group fit into the limits, which are then reduced. Objects are counted before
   * they are visited, so those that the client does not have count as well, and so do those above them:
   * visiting them takes time, too.
   */
  #affords({ anchors, label }: DeliveryGroup): boolean {
    let entries = 0
    let characters = 0
    for (const { at } of anchors) {
      const objects = this.#sources.occurrences.count(at)
      let length = label?.length ?? 0
      entries += objects
      for (let position = this.#sources.occurrences.position(at); position.parent >= 0; ) {
        length += position.responseKey?.length ?? 0
        position = this.#sources.occurrences.position(position.parent)
        entries += this.#sources.occurrences.count(position.id)
      }
      characters += objects * length
    }
    if (entries > this.#entriesLeft || characters > this.#charactersLeft) return false
    this.#entriesLeft -= entries
    this.#charactersLeft -= characters
    return true
  }
}
