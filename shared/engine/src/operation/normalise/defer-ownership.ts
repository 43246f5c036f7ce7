/**
 * Decides which deferred fragment delivers a field that several fragments select, and what that means for the
 * others.
 *
 * A field selected outside of every `@defer` is not deferred. Otherwise the first fragment of the document
 * that selects the field owns it; fragments nested in another one that selects it do not count. The others
 * are complete only after the owner, and deliver the field if the owner fails:
 *
 *     ... @defer { name stock }      owns name and stock
 *     ... @defer { stock price }     owns price; is complete after the first one, and delivers stock if that
 *     one fails
 *
 * A fragment that would never have a field to deliver is dropped.
 */
import type { Budget } from '../../work/planning-budget.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids/ids.ts'
import type { DeferredFragment, Defers } from '../defers.ts'
import type { SelectionAnchor, DeliveryGroupOutline, Selection } from './normalised.ts'

/** Who delivers a field, and who else selects it: ascending, without those nested in one of them. */
export type Owner = { readonly group: GroupId; readonly fallbackGroups: readonly GroupId[] }

/** The owner of fields that the initial result delivers. */
export const NOT_DEFERRED: Owner = { group: INITIAL_GROUP, fallbackGroups: [] }

/** Collects, while an operation is normalised, which delivery group owns which field. */
export class DeferOwnership {
  readonly #defers: Defers
  readonly #budget: Budget
  readonly #anchors = new Map<Selection, readonly SelectionAnchor[]>()
  /** Groups that deliver a field, or have to if another group fails. */
  readonly #live = new Set<GroupId>()
  /** The groups that each group is completed after. */
  readonly #completedAfter = new Map<GroupId, Set<GroupId>>()

  constructor(defers: Defers, budget: Budget) {
    this.#defers = defers
    this.#budget = budget
  }

  /**
   * The owner of a field that these fragments select; null stands for a selection outside of every fragment.
   */
  ownerOf(deferredFragments: ReadonlySet<DeferredFragment | null>): Owner {
    if (deferredFragments.has(null)) return NOT_DEFERRED
    const [group, ...fallbackGroups] = [...deferredFragments]
      .flatMap((deferred) =>
        deferred === null || this.#isWithin(deferred, deferredFragments) ? [] : deferred.id,
      )
      .sort((a, b) => a - b)
    if (group === undefined) return NOT_DEFERRED
    for (const each of [group, ...fallbackGroups]) this.#live.add(each)
    for (const deferred of deferredFragments)
      if (deferred !== null && deferred.id !== group) add(this.#completedAfter, deferred.id, group)
    return { group, fallbackGroups }
  }

  /** Notes that fragments sit on the objects of a selection that have these types. */
  anchor(selection: Selection, found: ReadonlyMap<GroupId, readonly TypeId[]>): void {
    const all = selection.byType.size
    const anchors = [...found].map(([group, types]) => ({
      group,
      types: types.length === all ? null : types,
    }))
    this.#anchors.set(selection, anchors)
  }

  anchorsOf(selection: Selection): readonly SelectionAnchor[] {
    return this.#anchors.get(selection) ?? []
  }

  /** The delivery groups of all fragments, in ascending order of id. */
  groups(): readonly DeliveryGroupOutline[] {
    const parents = new Map<GroupId, GroupId>()
    return this.#defers.deferredFragments.map(({ id, label, parent }): DeliveryGroupOutline => {
      const isLive = this.#live.has(id)
      const completedAfter = new Set(this.#completedAfter.get(id))
      const above = parent === null ? INITIAL_GROUP : parent.id
      const nearest = this.#live.has(above) ? above : (parents.get(above) ?? INITIAL_GROUP)
      if (!isLive) completedAfter.clear()
      parents.set(id, nearest)
      for (const other of completedAfter)
        if (this.#isAtOrAround(other, nearest, parents)) completedAfter.delete(other)
      return { id, parent: nearest, label, isLive, completedAfter: [...completedAfter].sort((a, b) => a - b) }
    })
  }

  #isWithin(deferred: DeferredFragment, deferredFragments: ReadonlySet<DeferredFragment | null>): boolean {
    if (deferredFragments.size === 1) return false
    for (let outer = deferred.parent; outer !== null; outer = outer.parent) {
      this.#budget.step(1 / 16)
      if (deferredFragments.has(outer)) return true
    }
    return false
  }

  /** Whether `other` is the group itself or one around it: then it is complete whenever the group is. */
  #isAtOrAround(other: GroupId, group: GroupId, parents: ReadonlyMap<GroupId, GroupId>): boolean {
    for (let outer = group; outer > 0; outer = parents.get(outer) ?? INITIAL_GROUP) {
      this.#budget.step(1 / 16)
      if (outer === other) return true
    }
    return false
  }
}

function add(sets: Map<GroupId, Set<GroupId>>, key: GroupId, value: GroupId): void {
  const known = sets.get(key)
  if (known === undefined) sets.set(key, new Set([value]))
  else known.add(value)
}
