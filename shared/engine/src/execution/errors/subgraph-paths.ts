/** Follows paths of subgraph answers through the positions of the plan. */
import { NO_RUNTIME_TYPE, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { Position } from '../../plan/contract/plan.ts'
import { ordinalOf } from '../../json/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import { listDepth, type PreparedPlan, possibleFields } from '../joining/prepared-plan.ts'
import type { Path } from './client-paths.ts'
import type { Target } from './dependent-fields.ts'

/** The objects of a position as one subgraph sent them. */
type SubgraphPosition = { readonly position: PositionId; readonly slot: number }

/** One of these objects; its number is -1 if the object is null or not known. */
export type SubgraphObject = SubgraphPosition & { readonly occurrence: number }

/** How far a path of an answer leads in the response. */
export type WalkedPath = {
  /** The response path that was walked, from the object at which the walk began. */
  readonly below: Path
  /** The last object on the way. */
  readonly last: SubgraphObject
  /** Whether the client selected every field of the path. */
  readonly isSelected: boolean
}

export class SubgraphPaths {
  readonly #plan: PreparedPlan
  readonly #occurrences: Occurrences

  constructor(plan: PreparedPlan, occurrences: Occurrences) {
    this.#plan = plan
    this.#occurrences = occurrences
  }

  /** Follows a path as far as the client selected its fields. */
  walk(start: SubgraphObject, path: Path): WalkedPath {
    const below: (string | number)[] = []
    let last = start
    let i = 0
    while (i < path.length) {
      const key = path[i]
      if (typeof key !== 'string') break
      const indices: number[] = []
      for (let at = i + 1; typeof path[at] === 'number'; at++) indices.push(Number(path[at]))
      const type =
        last.occurrence < 0 ? NO_RUNTIME_TYPE : this.#occurrences.type(last.position, last.occurrence)
      const child = this.#childAt(last, key, type)
      if (child === null) {
        const leaf = possibleFields(this.#plan, last.position, type).find(
          (field) => field.kind === 'field' && field.source?.slot === last.slot && field.source.key === key,
        )
        if (leaf === undefined) return { below, last, isSelected: false }
        const depth = leaf.kind === 'field' ? listDepth(leaf.node) : 0
        below.push(leaf.key, ...indices.slice(0, depth))
        return { below, last, isSelected: true }
      }
      const { position, slot } = child
      if (position.responseKey === null) return { below, last, isSelected: false }
      below.push(position.responseKey, ...indices.slice(0, this.#plan.listDepths[position.id]))
      last = { position: position.id, slot, occurrence: this.#occurrenceAt(last, position, key, indices) }
      i += 1 + indices.length
    }
    return { below, last, isSelected: true }
  }

  /**
   * Returns the parts of the plan that read the end of a path. There may be several, since several positions
   * may read one property of an answer.
   */
  targets(start: SubgraphObject, path: Path): readonly Target[] {
    let reached: readonly SubgraphPosition[] = [start]
    for (const key of path) {
      if (typeof key !== 'string') continue
      const children = reached.flatMap((parent) => this.#childrenAt(parent, key))
      if (children.length === 0)
        return reached.map(({ position, slot }) => ({ kind: 'leaf', position, slot, key }))
      reached = children.map(({ position, slot }) => ({ position: position.id, slot }))
    }
    return reached.map(({ position }) => ({ kind: 'object', position }))
  }

  /** The position that a key leads to; one that the client selected, if there is one. */
  #childAt(object: SubgraphObject, key: string, type: TypeId) {
    const children = this.#childrenAt(object, key).filter(
      ({ position: { guard } }) => type < 0 || guard === null || guard.includes(type),
    )
    return children.find(({ position }) => position.responseKey !== null) ?? children[0] ?? null
  }

  #childrenAt(parent: SubgraphPosition, key: string) {
    return (this.#plan.children[parent.position] ?? []).flatMap((position) => {
      const slot = position.providers.findIndex(
        (provider) => provider.kind === 'inline' && provider.slot === parent.slot && provider.key === key,
      )
      return slot < 0 ? [] : [{ position, slot }]
    })
  }

  /** The number of the object at `key` and `indices` of an object; -1 if there is none. */
  #occurrenceAt(object: SubgraphObject, child: Position, key: string, indices: readonly number[]): number {
    if (object.occurrence < 0) return -1
    const value = this.#occurrences.value(object.position, object.slot, object.occurrence, key)
    const ordinal = ordinalOf(value, indices)
    if (ordinal < 0) return -1
    const occurrence = this.#occurrences.start(child.id, object.occurrence) + ordinal
    return occurrence < this.#occurrences.start(child.id, object.occurrence + 1) ? occurrence : -1
  }
}
