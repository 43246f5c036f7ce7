/** Turns a solution into positions, slots and steps. Shares whatever two object types or two needs have in common. */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import { type Graph, printTypeRef, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import { docSelection, selectField } from '../document/document.ts'
import type { Assigned, DraftPosition, Slot, Step } from './draft.ts'
import { addCase, representationFields } from './draft-representations.ts'
import { assignedAt, draftPosition, type Place } from './build-scope.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids.ts'
import type { Node } from '../search/query-graph.ts'
import {
  type EntityEntry,
  type Local,
  type Pick,
  type Spread,
  targetOf,
  type Visit,
} from '../search/solution.ts'
import { shareKey } from '../search/solver.ts'
import { wideTypes } from './interface-fields.ts'

const NO_CUTS: ReadonlyMap<FieldGoal, string> = new Map()

/** The objects' own types, asked for beside whatever is asked of them. */
function tellsType({ node, selection }: Spread): boolean {
  return (
    !node.interfaceObject &&
    [...selection.byType.values()].some((goals) => goals.some(({ kind }) => kind === 'typename'))
  )
}

export class Builder {
  readonly root: DraftPosition
  readonly steps: Step[] = []
  barrier = 0
  readonly #graph: Graph
  readonly #budget: Budget
  readonly #isMutation: boolean
  readonly #ids = new Map<object, number>()
  readonly #visitSlots = new Map<DraftPosition, Map<string, Slot>>()
  readonly #casesOfSlot = new Map<Slot, Map<TypeId, Visit>>()

  constructor(graph: Graph, root: Selection, budget: Budget) {
    this.#budget = budget
    this.#graph = graph
    this.#isMutation = root.type === graph.compiled.roots.mutation
    this.root = draftPosition(null, null, root)
  }

  buildRoot(local: Local): void {
    const place: Place = {
      position: this.root,
      object: this.root.selection.type,
      source: null,
      visits: new Map(),
      strict: strictFields(local),
      wide: new Map(),
      client: true,
      group: INITIAL_GROUP,
      base: null,
      cuts: NO_CUTS,
    }
    this.#buildLocal(place, local)
  }

  #buildSpread(
    position: DraftPosition,
    spread: Spread,
    source: Slot,
    { client, group }: Omit<Place, 'object'>,
  ): void {
    const wide = wideTypes(this.#graph, spread, (goal) => this.#textOf(goal))
    for (const [object, local] of spread.byType)
      this.#buildLocal(
        {
          position,
          object,
          source,
          visits: new Map(),
          strict: strictFields(local),
          wide,
          client,
          group,
          base: null,
          cuts: spread.byType.size === 1 ? NO_CUTS : this.#cutsByGoal(local),
        },
        local,
      )
  }

  #buildLocal(place: Place, local: Local): void {
    const answering = new Set(local.picks.map(({ visit }) => visit))
    for (const visit of local.visits) {
      // A call that gives nothing but inputs need not be made twice.
      const shared = answering.has(visit) ? undefined : place.base?.visits.get(visit)
      if (shared === undefined) this.#slotOf(place, visit)
      else place.visits.set(visit, shared)
    }
    this.#assign(place, local.picks)
    for (const { group, local: later } of local.cuts)
      this.#buildLocal(
        { ...place, visits: new Map(), strict: strictFields(later), group, base: place },
        later,
      )
  }

  /**
   * How the calls of later groups answer each goal, by the whole goal. What one call gave of several object types is one
   * position only where all later calls give the rest of them alike: each value is read from one place.
   */
  #cutsByGoal({ cuts }: Local): ReadonlyMap<FieldGoal, string> {
    const byGoal = new Map<FieldGoal, string>()
    for (const { group, local } of cuts) {
      this.#budget.step((local.visits.length + local.picks.length) / 4)
      const slots = slotKeys(local, group)
      for (const { goal, visit, child } of local.picks) {
        const slot = visit === null ? group : (slots.get(visit) ?? group)
        const whole = goal.whole ?? goal
        const known = byGoal.get(whole) ?? ''
        byGoal.set(whole, `${known}/${slot}.${child === null ? '' : this.#id(child)}`)
      }
    }
    return byGoal
  }

  #assign(place: Place, picks: readonly Pick[]): void {
    this.#budget.step(picks.length)
    const byGoal = new Map<FieldGoal, Pick[]>()
    for (const pick of picks) {
      const goal = pick.goal.whole ?? pick.goal
      const same = byGoal.get(goal)
      if (same === undefined) byGoal.set(goal, [pick])
      else same.push(pick)
    }
    const assigned = assignedAt(place)
    for (const [goal, same] of byGoal) {
      const known = assigned.get(goal)
      const built = this.#assignGoal(place, goal, same, known)
      if (known === undefined && built !== null) assigned.set(goal, built)
    }
  }

  #assignGoal(
    place: Place,
    goal: FieldGoal,
    picks: readonly Pick[],
    known: Assigned | undefined,
  ): Assigned | null {
    // Another visit needs it, too; only a remainder adds to what is there.
    if (known !== undefined && picks[0]?.goal.whole == null) return known
    const typeText = (type: TypeRef) => printTypeRef(this.#graph, type)
    const ways = picks.flatMap((pick) => {
      const slot = pick.visit === null ? place.source : (place.visits.get(pick.visit) ?? null)
      if (slot === null) return []
      const on = slot.node.interfaceObject ? slot.node.type : place.object
      const text = this.#textOf(goal)
      const wide = pick.visit === null ? (place.wide.get(text) ?? null) : null
      const to = targetOf(pick)
      const field = selectField(slot.doc, on, goal, text, pick.edge, to, place.client, wide, typeText)
      return [{ pick, slot, field }]
    })
    const [first] = ways
    if (first === undefined) return null
    if (goal.child === null) return { slot: first.slot, field: first.field, child: null }
    const identity = ways
      .map(
        ({ pick, slot, field }) =>
          `${this.#id(slot)}.${this.#id(field)}.${pick.child === null ? '' : this.#id(pick.child)}`,
      )
      .join('|')
    // Not by the goal: its type may differ in null from that of another object type, with all below it the same.
    const key = `${goal.key}:${this.#id(goal.child)}:${identity}${place.cuts.get(goal) ?? ''}`
    const { childByKey } = place.position
    const keys = ownersOfFetches(place, picks).map((group) => `${key}:${group}`)
    const built = keys.map((each) => childByKey.get(each)).find((each) => each !== undefined)
    const shared = known?.child ?? built
    const child = shared ?? draftPosition(place.position, place.client ? goal.key : null, goal.child)
    child.guard.add(place.object)
    if (shared === undefined) place.position.children.push(child)
    if (built === undefined) {
      childByKey.set(keys[0] ?? key, child)
      for (const { pick, slot, field } of ways) {
        if (pick.child === null || field.child === null) continue
        const inline: Slot = {
          position: child,
          node: pick.child.node,
          doc: field.child,
          source: { kind: 'inline', parent: slot, field },
          // What another source is asked for because the first one, an interface object, cannot tell the types.
          discovers: pick.goal.whole !== null && tellsType(pick.child),
          strict: '',
          mergedInto: null,
        }
        child.slots.push(inline)
        this.#buildSpread(child, pick.child, inline, place)
      }
    }
    return { slot: first.slot, field: first.field, child }
  }

  #slotOf(place: Place, visit: Visit): Slot {
    const known = place.visits.get(visit)
    if (known !== undefined) return known
    const slot =
      visit.entity === null ? this.#rootSlot(place, visit) : this.#entitySlot(place, visit, visit.entity)
    place.visits.set(visit, slot)
    return slot
  }

  #rootSlot(place: Place, visit: Visit): Slot {
    const key = `${shareKey(visit)}|${this.barrier}|${place.group}`
    return this.#sharedSlot(place.position, key, () => this.#newSlot(place, 'root', visit.node, false))
  }

  #entitySlot(place: Place, visit: Visit, entity: EntityEntry): Slot {
    if (entity.discovery !== null) this.#slotOf(place, entity.discovery)
    // Inputs are assigned first: what they take must exist before this visit does.
    const inputs: Place = { ...place, client: false }
    for (const pick of entity.inputs) if (pick.visit !== null) this.#slotOf(place, pick.visit)
    this.#assign(inputs, entity.inputs)
    const slot = this.#slotForType(place, visit, entity)
    const cases = this.#casesOfSlot.get(slot) ?? new Map<TypeId, Visit>()
    this.#casesOfSlot.set(slot, cases)
    if (entity.discovers) slot.discovers = true
    if (cases.has(place.object) || slot.source.kind !== 'step') return slot
    this.#budget.step(1 + slot.source.step.cases.length / 64)
    cases.set(place.object, visit)
    const goals = entity.inputs.map((pick) => pick.goal)
    addCase(slot.source.step, {
      types: new Set([place.object]),
      typename: typeOf(this.#graph, entity.repType).name,
      anyType: entity.repType !== place.object && !entity.typed,
      fields: representationFields(this.#graph, assignedAt(inputs), goals, entity.key.sel),
    })
    const { reasons } = slot.source.step
    reasons.add(`key "${entity.key.text}"`)
    if (entity.requires !== null) reasons.add(`requires "${entity.requires.text}" of ${entity.field ?? ''}`)
    return slot
  }

  /**
   * Object types share the slot of one call. For one type a second call with other inputs needs another slot, and so do
   * types that ask an interface object for other non-null fields: one of those may fail for an object of the other type.
   */
  #slotForType(place: Place, visit: Visit, entity: EntityEntry): Slot {
    const strict = place.strict.get(visit) ?? ''
    const base = slotKey(visit, place.group, place.strict)
    for (let attempt = 0; ; attempt++) {
      const slot = this.#sharedSlot(place.position, `${base}|${attempt}`, () =>
        this.#newSlot(place, 'entity', visit.node, entity.discovers, strict),
      )
      const taken = this.#casesOfSlot.get(slot)?.get(place.object)?.entity
      if (taken === undefined || taken === null) return slot
      if (taken.requires?.text === entity.requires?.text && taken.repType === entity.repType) return slot
    }
  }

  #sharedSlot(position: DraftPosition, key: string, make: () => Slot): Slot {
    let slots = this.#visitSlots.get(position)
    if (slots === undefined) {
      slots = new Map()
      this.#visitSlots.set(position, slots)
    }
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = make()
      slots.set(key, slot)
    }
    return slot
  }

  #newSlot(
    { position, group }: Place,
    kind: Step['kind'],
    node: Node,
    discovers: boolean,
    strict = '',
  ): Slot {
    const step: Step = {
      kind,
      sub: node.sub,
      group,
      position,
      barrier: this.barrier,
      afterParent: this.#isMutation,
      cases: [],
      reasons: new Set(),
    }
    const slot: Slot = {
      position,
      node,
      doc: docSelection(node.sub, kind === 'root' ? node.type : null),
      source: { kind: 'step', step },
      discovers,
      strict,
      mergedInto: null,
    }
    this.steps.push(step)
    position.slots.push(slot)
    return slot
  }

  #textOf({ key, name, args, child }: FieldGoal): string {
    return `${key}:${name}${args}:${child === null ? '' : this.#id(child)}`
  }

  #id(item: object): number {
    let id = this.#ids.get(item)
    if (id === undefined) {
      id = this.#ids.size
      this.#ids.set(item, id)
    }
    return id
  }
}

/** Non-null fields that interface objects are asked for, by the visit. */
function strictFields({ picks, visits }: Local): ReadonlyMap<Visit, string> {
  const strict = new Map<Visit, string>()
  const inputs = visits.flatMap(({ entity }) => entity?.inputs ?? [])
  for (const { visit, edge, goal } of [...picks, ...inputs])
    if (visit?.node.interfaceObject === true && edge.type.nonNull)
      strict.set(visit, `${strict.get(visit) ?? ''} ${goal.name}${goal.args}`)
  return strict
}

/** Visits of several object types with the same key share a slot. */
function slotKey(visit: Visit, group: GroupId, strict: ReadonlyMap<Visit, string>): string {
  const { interfaceObject, type } = visit.node
  const own = interfaceObject ? `${type}${strict.get(visit) ?? ''}` : ''
  return `${group}|${shareKey(visit)}|${own}|${visit.entity?.discovers ?? false}`
}

/** Equal for visits of two object types that share a slot. A second visit of one type has a slot of its own. */
function slotKeys(local: Local, group: GroupId): ReadonlyMap<Visit, string> {
  const strict = strictFields(local)
  const counts = new Map<string, number>()
  return new Map(
    local.visits.map((visit) => {
      const key = slotKey(visit, group, strict)
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return [visit, `${key}|${count}`]
    }),
  )
}

/**
 * The groups whose calls below a field will do. What a group needs for inputs is asked for by calls of its own: nobody else may
 * wait for them, or show their errors. What the surroundings have asked for anyway is not asked for again. Empty text: there
 * are no calls, so it is the same for all groups.
 */
function ownersOfFetches({ group, base }: Place, picks: readonly Pick[]): readonly (GroupId | '')[] {
  if (picks.every(({ child }) => child === null || child.fetches === 0)) return ['']
  return base === null ? [group] : [group, base.group]
}
