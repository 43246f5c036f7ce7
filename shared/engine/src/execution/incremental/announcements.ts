/**
 * How clients are told of the fragments to come: which `pending` entries there are, and to which of them what is delivered
 * belongs. Nothing else of an execution knows the form.
 */
import type { GroupId, PositionId } from '../../ids.ts'
import type { DeliveryGroup } from '../../plan/plan.ts'
import type { Task } from '../../work/slices.ts'
import type { PendingFragment, PendingPer } from '../contract/incremental-response.ts'
import type { PendingEntry } from './delivery-plan.ts'
import { type DeliverySources, GroupObjects } from './group-objects.ts'

export type Announcements = {
  /** Announces a group that is known to come. null: there is nothing to do for it. */
  announce(group: DeliveryGroup): Task | null
  /** What the group was announced with; nothing if it has no object. */
  of(group: GroupId): readonly PendingEntry[]
  /** With what the object was announced; null if it was not. */
  at(group: GroupId, position: PositionId, occurrence: number): PendingEntry | null
}

/**
 * In one response. Of a list of 10,000 objects with a few fragments on each, the announcements alone are megabytes, and
 * clients choose labels and response names as long as they like, which each of them repeats.
 */
const MAX_ANNOUNCED = 20_000
const MAX_CHARACTERS = 2 ** 21

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

export function pendingFragment({ id, path }: PendingEntry, { label }: DeliveryGroup): PendingFragment {
  return label === null ? { id, path } : { id, path, label }
}

/** Each fragment once, with a path up to the outermost list. Its id is its number in the operation. */
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
  /** By position: of each object that was announced. */
  readonly byObject: Map<PositionId, PendingEntry[]>
  /** Set where the objects were too many to announce each. */
  whole: PendingEntry | null
}

/**
 * Each fragment for every object it is on, with the path of the object. In a list its ids are its number in the operation and
 * that of the object, `2.1`, `2.2`, whatever is delivered first; traces name fragments by the first. A fragment that would
 * exceed what one response may announce is announced once for all of its objects.
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
   * Counts what there is before it is walked over: objects that the client does not have, and those on the way to the fragment,
   * count as well, since they cost time.
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
