import { type FetchId, type GroupId, INITIAL_GROUP, type PositionId, NO_FETCH } from '../../ids/ids.ts'
import type {
  DeliveryGroup,
  ObjectShape,
  Plan,
  Position,
  ShapeField,
  ShapeNode,
} from '../../plan/contract/plan.ts'
import type { Path } from '../errors/client-paths.ts'
import { type Preparation, preparationsForSome } from '../joining/preparations.ts'
import { objectIn, type PreparedPlan, preparePlan } from '../joining/prepared-plan.ts'
import { groupsOf, Projections, withFields } from './projections.ts'

/**
 * Which groups are lost together is up to what subgraphs answer, so not every such cut is kept with the plan.
 */
const MAX_PROJECTIONS = 1_000

/** The groups that have to do with an object or with objects below it. */
type Contents = {
  /** Groups that have fields there. */
  readonly groups: ReadonlySet<GroupId>
  /** Groups whose deferred fragment is on one of these objects. */
  readonly anchors: ReadonlySet<GroupId>
}

/** One entry of `pending`: a delivery group, or one of the objects into which it delivers. */
export type PendingEntry = {
  readonly id: string
  /** Response path. What is delivered for the entry is merged at this path, followed by its `subPath`. */
  readonly path: Path
  /**
   * True if the path leads to an object with the deferred fragment on it, false if it leads to a list of such
   * objects.
   */
  readonly isObject: boolean
}

/** The entry of `pending` for a group as a whole. */
export type Announcement = PendingEntry & {
  /** Response path of its objects, up to the outermost list. */
  readonly path: readonly string[]
  /** Positions of the objects in that list; none if there is no list above the deferred fragment. */
  readonly lists: readonly PositionId[]
  /**
   * Groups that deliver the objects on the way; all of them come before it in the document, so none waits for
   * it.
   */
  readonly owners: ReadonlySet<GroupId>
}

const known = new WeakMap<Plan, DeliveryPlan>()

/** Computed once per plan. */
export function planDelivery(plan: Plan): DeliveryPlan {
  let delivery = known.get(plan)
  if (delivery === undefined) {
    delivery = new DeliveryPlan(plan)
    known.set(plan, delivery)
  }
  return delivery
}

/**
 * Which fields each delivery group delivers, which fetches it needs, and with which groups it shares fields.
 */
export class DeliveryPlan {
  /** The groups that can be announced, ascending. */
  readonly groups: readonly DeliveryGroup[]
  readonly #plan: Plan
  readonly #prepared: PreparedPlan
  readonly #contents = new Map<ObjectShape, Contents>()
  /** The fetches whose answers each group is made of, and all fetches that these wait for. */
  readonly #needs: readonly (readonly FetchId[])[]
  readonly #direct: readonly Set<FetchId>[]
  /** The groups that need each fetch. */
  readonly #needing: readonly (readonly GroupId[])[]
  /** The groups that deliver some of each fetch's answer. */
  readonly #served: Set<GroupId>[]
  /** The groups that deliver a field of each group, unless they fail. */
  readonly #rivals: Set<GroupId>[]
  readonly #anchors = new Map<PositionId, GroupId[]>()
  readonly #announcements: readonly Announcement[]
  readonly #leading = new Map<ObjectShape, ObjectShape>()
  readonly #preparations = new Map<GroupId, readonly Preparation[]>()
  /** The projections by group, and by the groups that are lost. */
  readonly #projections = new Map<GroupId | string, Projections>()

  constructor(plan: Plan) {
    this.#plan = plan
    this.#prepared = preparePlan(plan)
    this.groups = plan.groups.filter(({ id, isLive }) => id > 0 && isLive)
    this.#direct = plan.groups.map(() => new Set())
    this.#rivals = plan.groups.map(() => new Set())
    this.#served = plan.fetches.map(() => new Set())
    for (const { id, anchors } of this.groups)
      for (const { at } of anchors) {
        const here = this.#anchors.get(at)
        if (here === undefined) this.#anchors.set(at, [id])
        else here.push(id)
      }
    const owners = plan.groups.map(() => new Set<GroupId>())
    this.#collect(plan.shape, owners)
    for (const { id, group } of plan.fetches) this.#direct[group]?.add(id)
    this.#needs = this.#direct.map((needs) => {
      for (const id of needs) for (const before of plan.fetches[id]?.after ?? []) needs.add(before)
      return [...needs].sort((a, b) => a - b)
    })
    this.#needing = plan.fetches.map(({ id }) =>
      plan.groups.flatMap((group) => (this.#needs[group.id]?.includes(id) === true ? group.id : [])),
    )
    this.#announcements = plan.groups.map(({ id, anchors }) => {
      const { path, lists } = pathTo(
        plan,
        this.#prepared,
        anchors.map(({ at }) => at),
      )
      return { id: String(id), path, lists, isObject: lists.length === 0, owners: owners[id] ?? new Set() }
    })
  }

  needs(group: GroupId): readonly FetchId[] {
    return this.#needs[group] ?? []
  }

  needing(fetch: FetchId): readonly GroupId[] {
    return this.#needing[fetch] ?? []
  }

  rivals(group: GroupId): ReadonlySet<GroupId> {
    return this.#rivals[group] ?? new Set()
  }

  served(fetch: FetchId): ReadonlySet<GroupId> {
    return this.#served[fetch] ?? new Set()
  }

  announcement(group: GroupId): Announcement {
    const announcement = this.#announcements[group]
    if (announcement === undefined) throw new RangeError(`The plan has no group ${group}.`)
    return announcement
  }

  /**
   * The fields of an object that lead to objects of which it matters for a later part that they were
   * delivered.
   */
  leading(shape: ObjectShape): ObjectShape {
    let leading = this.#leading.get(shape)
    if (leading === undefined) {
      leading = withFields(shape, (field) => this.#leadsOn(field))
      this.#leading.set(shape, leading)
    }
    return leading
  }

  /** The fields that a group delivers where the groups in `lost` are not delivered. */
  projections(group: GroupId, lost: ReadonlySet<GroupId>): Projections {
    const key = lost.size === 0 ? group : `${group}/${[...lost].join()}`
    let projections = this.#projections.get(key)
    if (projections === undefined) {
      projections = new Projections(group, lost, (node) => this.#carries(node, group))
      if (lost.size === 0 || this.#projections.size < MAX_PROJECTIONS) this.#projections.set(key, projections)
    }
    return projections
  }

  /** The occurrence tables that are read to find and complete the objects into which a group delivers. */
  preparations(group: GroupId): readonly Preparation[] {
    let preparations = this.#preparations.get(group)
    if (preparations === undefined) {
      const concernsGroup = (field: ShapeField): boolean =>
        groupsOf(field).includes(group) || (field.kind === 'field' && this.#carries(field.node, group))
      preparations = preparationsForSome(this.#plan, this.#plan.shape, concernsGroup)
      this.#preparations.set(group, preparations)
    }
    return preparations
  }

  /** Whether a group has fields in the objects of a value, or below them. */
  #carries(node: ShapeNode, group: GroupId): boolean {
    const shape = objectIn(node)
    return shape !== null && this.#contents.get(shape)?.groups.has(group) === true
  }

  #leadsOn(field: ShapeField): boolean {
    if (field.kind !== 'field') return false
    const shape = objectIn(field.node)
    const contents = shape === null ? undefined : this.#contents.get(shape)
    if (contents === undefined) return false
    return contents.anchors.size > 0 || contents.groups.size > 1 || !contents.groups.has(field.group)
  }

  #collect(shape: ObjectShape, owners: readonly Set<GroupId>[]): Contents {
    const done = this.#contents.get(shape)
    if (done !== undefined) return done
    const groups = new Set<GroupId>()
    const anchors = new Set<GroupId>(this.#anchors.get(shape.position))
    for (const field of shape.cases.flatMap(({ fields }) => fields)) {
      const having = groupsOf(field)
      for (const [index, group] of having.entries()) {
        groups.add(group)
        for (const rival of having.slice(0, index)) this.#rivals[group]?.add(rival)
      }
      if (field.kind !== 'field') continue
      for (const group of having) this.#need(field, shape.position, group, having)
      const below = objectIn(field.node)
      if (below === null) continue
      const contents = this.#collect(below, owners)
      for (const group of contents.groups) groups.add(group)
      for (const anchor of contents.anchors) {
        anchors.add(anchor)
        owners[anchor]?.add(field.group)
      }
    }
    const contents = { groups, anchors }
    this.#contents.set(shape, contents)
    return contents
  }

  /** `having`: all groups that select the field. */
  #need(
    field: Extract<ShapeField, { kind: 'field' }>,
    at: PositionId,
    group: GroupId,
    having: readonly GroupId[],
  ): void {
    const needs = this.#direct[group]
    if (field.fetch !== NO_FETCH) {
      this.#served[field.fetch]?.add(group)
      needs?.add(field.fetch)
    }
    if (field.source !== null) this.#needProvider(at, field.source.slot, needs)
    const below = objectIn(field.node)
    if (below === null) return
    this.#needProvider(below.position, 0, needs)
    for (const { slot } of this.#plan.positions[below.position]?.typename ?? []) {
      const fetch = this.#fetchOf(below.position, slot)
      // A fetch for another group may tell a type on which nothing of this group depends.
      const owner = this.#plan.fetches[fetch ?? -1]?.group ?? INITIAL_GROUP
      if (fetch !== null && (having.includes(owner) || this.#isAround(owner, group))) needs?.add(fetch)
    }
  }

  #isAround(outer: GroupId, group: GroupId): boolean {
    for (let id = group; id > 0; id = this.#plan.groups[id]?.parent ?? INITIAL_GROUP)
      if (id === outer) return true
    return outer === 0
  }

  #needProvider(at: PositionId, slot: number, needs: Set<FetchId> | undefined): void {
    const fetch = this.#fetchOf(at, slot)
    if (fetch !== null) needs?.add(fetch)
  }

  /** The fetch that gives the objects of a slot. */
  #fetchOf(at: PositionId, slot: number): FetchId | null {
    const position = this.#plan.positions[at]
    const provider = position?.providers[slot]
    if (position === undefined || provider === undefined) return null
    return provider.kind === 'inline' ? this.#fetchOf(position.parent, provider.slot) : provider.fetch
  }
}

/**
 * Returns the path of a deferred fragment. It has one, even if several positions of the plan stand for it.
 */
function pathTo(
  plan: Plan,
  prepared: PreparedPlan,
  anchors: readonly PositionId[],
): Pick<Announcement, 'path' | 'lists'> {
  const ways = anchors.map((at) => {
    const way: Position[] = []
    for (let id = at; id > 0; ) {
      const position = plan.positions[id]
      if (position === undefined) break
      way.unshift(position)
      id = position.parent
    }
    const outermost = way.findIndex(({ id }) => (prepared.listDepths[id] ?? 0) > 0)
    return outermost < 0
      ? { way, list: [] }
      : { way: way.slice(0, outermost + 1), list: way[outermost]?.id ?? [] }
  })
  return {
    path: ways[0]?.way.flatMap(({ responseKey }) => responseKey ?? []) ?? [],
    lists: ways.flatMap(({ list }) => list),
  }
}
