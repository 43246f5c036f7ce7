/** Which steps a step waits for: whatever its representations read, and whatever decides that its objects exist. */
import type { Budget } from '../../budget.ts'
import type { DraftCase, DraftPosition, Step } from './draft.ts'
import { knownObjectType, stepOf, typenameSlots } from './draft.ts'
import type { TypeId } from '../../ids.ts'

export type Dependencies = ReadonlyMap<Step, ReadonlySet<Step>>

export function dependenciesOf(
  steps: readonly Step[],
  isObject: (type: TypeId) => boolean,
  budget: Budget,
): Dependencies {
  const finder = new DependencyFinder(isObject)
  const result = new Map<Step, ReadonlySet<Step>>()
  for (const step of steps) {
    const needed = step.kind === 'root' ? finder.ofReentry(step) : finder.of(step)
    // A mutation's root groups run one after the other, each with everything below it.
    if (step.kind === 'root') for (const other of steps) if (other.barrier < step.barrier) needed.add(other)
    needed.delete(step)
    budget.step(1 + (needed.size + (step.barrier > 0 ? steps.length : 0)) / 16)
    result.set(step, needed)
  }
  return result
}

class DependencyFinder {
  readonly #isObject: (type: TypeId) => boolean
  readonly #positions = new Map<DraftPosition, ReadonlySet<Step>>()

  constructor(isObject: (type: TypeId) => boolean) {
    this.#isObject = isObject
  }

  of(step: Step): Set<Step> {
    const needed = new Set(this.#ofPosition(step.position))
    this.#addCases(step.position, step.cases, needed)
    return needed
  }

  /** The query root below a mutation's field must be read after that field; below a query it can be read at once. */
  ofReentry(step: Step): Set<Step> {
    const { parent } = step.position
    return new Set(parent !== null && step.afterParent ? this.#ofPosition(step.position) : [])
  }

  #addCases(position: DraftPosition, cases: readonly DraftCase[], needed: Set<Step>): void {
    if (cases.some((item) => !item.anyType)) this.#addTypename(position, needed)
    for (const { fields } of cases)
      for (const field of fields) {
        if (field.kind === 'leaf') {
          needed.add(stepOf(field.slot))
          continue
        }
        for (const step of this.#ofPosition(field.position)) needed.add(step)
        for (const slot of field.position.slots) needed.add(stepOf(slot))
        if (field.withTypename) this.#addTypename(field.position, needed)
        this.#addCases(field.position, field.cases, needed)
      }
  }

  #addTypename(position: DraftPosition, needed: Set<Step>): void {
    if (knownObjectType(position, this.#isObject) !== null) return
    for (const slot of typenameSlots(position, this.#isObject)) needed.add(stepOf(slot))
  }

  /** What must be there to know how many objects the position has. */
  #ofPosition(position: DraftPosition): ReadonlySet<Step> {
    const known = this.#positions.get(position)
    if (known !== undefined) return known
    const needed = new Set<Step>()
    const [first] = position.slots
    if (position.parent !== null) {
      if (first !== undefined) needed.add(stepOf(first))
      for (const step of this.#ofPosition(position.parent)) needed.add(step)
      if (isGuarded(position, this.#isObject)) this.#addTypename(position.parent, needed)
    }
    this.#positions.set(position, needed)
    return needed
  }
}

/** Whether the position exists for some of its parent's runtime types only. */
export function isGuarded(position: DraftPosition, isObject: (type: TypeId) => boolean): boolean {
  const { parent } = position
  if (parent === null || knownObjectType(parent, isObject) !== null) return false
  const [first] = parent.slots
  for (const object of parent.selection.byType.keys())
    if ((first === undefined || first.node.knows.has(object)) && !position.guard.has(object)) return true
  return false
}
