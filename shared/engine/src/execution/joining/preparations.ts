/** Which tables of occurrences something needs, each after those that it is made from. */
import type { Group, ObjectShape, Plan, PositionId, RepresentationCase, ShapeField } from '../../plan/plan.ts'
import type { DeliveryPlan } from '../incremental/delivery-plan.ts'
import { type EntitiesPart, objectIn } from './prepared-plan.ts'

/** Slot 0: the table of the position itself. */
export type Preparation = { readonly position: PositionId; readonly slot: number }

const known = new WeakMap<ObjectShape | EntitiesPart | Group, readonly Preparation[]>()

/** What is needed to complete objects of a shape, and all that is in them. */
export function preparationsFor(plan: Plan, shape: ObjectShape): readonly Preparation[] {
  let preparations = known.get(shape)
  if (preparations === undefined) {
    const collected = new Preparations(plan)
    collected.addShape(shape)
    preparations = collected.list
    known.set(shape, preparations)
  }
  return preparations
}

/** What is needed to find the objects that a group delivers something of, and to complete them. */
export function preparationsForGroup(
  plan: Plan,
  delivery: DeliveryPlan,
  group: Group,
): readonly Preparation[] {
  let preparations = known.get(group)
  if (preparations === undefined) {
    const collected = new Preparations(plan, (field) => delivery.concerns(field, group.id))
    collected.addShape(plan.shape)
    preparations = collected.list
    known.set(group, preparations)
  }
  return preparations
}

/** What is needed to render the representations of a part. */
export function preparationsForPart(plan: Plan, part: EntitiesPart): readonly Preparation[] {
  let preparations = known.get(part)
  if (preparations === undefined) {
    const collected = new Preparations(plan)
    for (const { at, cases } of part.inputs) collected.addRepresentation(at, cases)
    preparations = collected.list
    known.set(part, preparations)
  }
  return preparations
}

class Preparations {
  readonly list: Preparation[] = []
  readonly #plan: Plan
  readonly #added = new Set<string>()
  readonly #shapes = new Set<ObjectShape>()

  readonly #isNeeded: (field: ShapeField) => boolean

  constructor(plan: Plan, isNeeded: (field: ShapeField) => boolean = () => true) {
    this.#plan = plan
    this.#isNeeded = isNeeded
  }

  addShape(shape: ObjectShape): void {
    // Cases may share what is below them.
    if (this.#shapes.has(shape)) return
    this.#shapes.add(shape)
    this.#addTypes(shape.position)
    for (const { fields } of shape.cases) {
      for (const field of fields) {
        if (field.kind !== 'field' || !this.#isNeeded(field)) continue
        if (field.source !== null) this.#add(shape.position, field.source.slot)
        const below = objectIn(field.node)
        if (below !== null) this.addShape(below)
      }
    }
  }

  addRepresentation(at: PositionId, cases: readonly RepresentationCase[]): void {
    this.#addTypes(at)
    for (const { fields } of cases) {
      for (const field of fields) {
        if (field.kind === 'leaf') this.#add(at, field.source.slot)
        else {
          const [provider] = this.#plan.positions[field.position]?.providers ?? []
          if (provider?.kind === 'inline') this.#add(at, provider.slot)
          this.addRepresentation(field.position, field.cases)
        }
      }
    }
  }

  /** With what tells the types of its objects. */
  #addTypes(id: PositionId): void {
    this.#add(id, 0)
    const position = this.#plan.positions[id]
    if (position?.objectType === null) for (const { slot } of position.typename) this.#add(id, slot)
  }

  #add(id: PositionId, slot: number): void {
    const key = `${id}.${slot}`
    if (this.#added.has(key)) return
    this.#added.add(key)
    const position = this.#plan.positions[id]
    if (position === undefined) return
    const { parent, providers, guard } = position
    if (slot > 0) this.#add(id, 0)
    if (parent >= 0) {
      this.#add(parent, 0)
      if (guard !== null) this.#addTypes(parent)
      for (const provider of [providers[0], providers[slot]])
        if (provider?.kind === 'inline') this.#add(parent, provider.slot)
    }
    this.list.push({ position: id, slot })
  }
}
