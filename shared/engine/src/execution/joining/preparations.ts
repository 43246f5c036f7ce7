/**
 * Lists the occurrence tables that a piece of work reads. Each table comes after the tables that it is built
 * from.
 */
import type { PositionId } from '../../ids/ids.ts'
import type { ObjectShape, Plan, RepresentationCase, ShapeField } from '../../plan/contract/plan.ts'
import { type EntitiesPart, objectIn } from './prepared-plan.ts'

/**
 * One table to build: slot 0 stands for the table of the position itself, any other slot for the objects of
 * that provider.
 */
export type Preparation = { readonly position: PositionId; readonly slot: number }

const known = new WeakMap<ObjectShape | EntitiesPart, readonly Preparation[]>()

/** The tables that are read to complete an object of this shape and all objects below it. */
export function preparationsFor(plan: Plan, shape: ObjectShape): readonly Preparation[] {
  let preparations = known.get(shape)
  if (preparations === undefined) {
    preparations = preparationsForSome(plan, shape, () => true)
    known.set(shape, preparations)
  }
  return preparations
}

/**
 * The same for an object of which only the fields that `isNeeded` accepts are completed. Computed anew with
 * each call.
 */
export function preparationsForSome(
  plan: Plan,
  shape: ObjectShape,
  isNeeded: (field: ShapeField) => boolean,
): readonly Preparation[] {
  const collected = new Preparations(plan, isNeeded)
  collected.addShape(shape)
  return collected.list
}

/** The tables that are read to render the entity representations of a part. */
export function preparationsForPart(plan: Plan, part: EntitiesPart): readonly Preparation[] {
  let preparations = known.get(part)
  if (preparations === undefined) {
    const collected = new Preparations(plan, () => true)
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

  constructor(plan: Plan, isNeeded: (field: ShapeField) => boolean) {
    this.#plan = plan
    this.#isNeeded = isNeeded
  }

  addShape(shape: ObjectShape): void {
    // Several cases may share one shape, which is looked at once.
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

  /** Adds a position, and the slots that hold the `__typename` of its objects. */
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
