/**
 * Finds the calls that a call waits for: those that its representations are read from, and those that decide
 * whether its objects exist.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { DraftRepresentation, DraftPosition, DraftCall } from './draft.ts'
import { knownObjectType, callFor, typenameProviders } from './draft.ts'
import type { TypeId } from '../../ids/ids.ts'

/** The calls that must have answered before a call can be made. */
export type Dependencies = ReadonlyMap<DraftCall, ReadonlySet<DraftCall>>

/** Everything that each call waits for. */
export function dependenciesOf(
  calls: readonly DraftCall[],
  isObject: (type: TypeId) => boolean,
  budget: Budget,
): Dependencies {
  const finder = new DependencyFinder(isObject)
  const result = new Map<DraftCall, ReadonlySet<DraftCall>>()
  for (const call of calls) {
    const needed = call.kind === 'root' ? finder.ofReentry(call) : finder.of(call)
    // A mutation's root groups run one after the other, each with everything below it.
    if (call.kind === 'root') for (const other of calls) if (other.barrier < call.barrier) needed.add(other)
    needed.delete(call)
    budget.step(1 + (needed.size + (call.barrier > 0 ? calls.length : 0)) / 16)
    result.set(call, needed)
  }
  return result
}

class DependencyFinder {
  readonly #isObject: (type: TypeId) => boolean
  readonly #positions = new Map<DraftPosition, ReadonlySet<DraftCall>>()

  constructor(isObject: (type: TypeId) => boolean) {
    this.#isObject = isObject
  }

  of(call: DraftCall): Set<DraftCall> {
    const needed = new Set(this.#ofPosition(call.position))
    this.#addCases(call.position, call.cases, needed)
    return needed
  }

  /**
   * The query root below a mutation's field must be read after that field; below a query it can be read at
   * once.
   */
  ofReentry(call: DraftCall): Set<DraftCall> {
    const { parent } = call.position
    return new Set(parent !== null && call.afterParent ? this.#ofPosition(call.position) : [])
  }

  #addCases(position: DraftPosition, cases: readonly DraftRepresentation[], needed: Set<DraftCall>): void {
    if (cases.some((item) => !item.anyType)) this.#addTypename(position, needed)
    for (const { fields } of cases)
      for (const field of fields) {
        if (field.kind === 'leaf') {
          needed.add(callFor(field.provider))
          continue
        }
        for (const call of this.#ofPosition(field.position)) needed.add(call)
        for (const provider of field.position.providers) needed.add(callFor(provider))
        if (field.withTypename) this.#addTypename(field.position, needed)
        this.#addCases(field.position, field.cases, needed)
      }
  }

  #addTypename(position: DraftPosition, needed: Set<DraftCall>): void {
    if (knownObjectType(position, this.#isObject) !== null) return
    for (const provider of typenameProviders(position, this.#isObject)) needed.add(callFor(provider))
  }

  /** Returns the calls that must be answered before it is known how many objects the position has. */
  #ofPosition(position: DraftPosition): ReadonlySet<DraftCall> {
    const known = this.#positions.get(position)
    if (known !== undefined) return known
    const needed = new Set<DraftCall>()
    const [first] = position.providers
    if (position.parent !== null) {
      if (first !== undefined) needed.add(callFor(first))
      for (const call of this.#ofPosition(position.parent)) needed.add(call)
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
  const [first] = parent.providers
  for (const object of parent.selection.byType.keys())
    if ((first === undefined || first.node.knows.has(object)) && !position.guard.has(object)) return true
  return false
}
