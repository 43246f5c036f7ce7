import type { PositionId } from '../../ids/ids.ts'
import type { Position } from '../../plan/contract/plan.ts'
import { indicesOf } from '../../json/object-lists.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { PreparedPlan } from '../joining/prepared-plan.ts'

/** A response path, or a path of a subgraph's answer: https://spec.graphql.org/draft/#sec-Path */
export type Path = readonly (string | number)[]

/** Finds the response paths of objects. */
export class ClientPaths {
  readonly #plan: PreparedPlan
  readonly #occurrences: Occurrences

  constructor(plan: PreparedPlan, occurrences: Occurrences) {
    this.#plan = plan
    this.#occurrences = occurrences
  }

  /**
   * Response path of an object; of the nearest one above it that the client selected, if it did not select
   * this one.
   */
  ofOccurrence(position: PositionId, occurrence: number): Path {
    let path: (string | number)[] = []
    let at = this.#occurrences.position(position)
    let number = occurrence
    while (at.parent >= 0) {
      const parent = this.#occurrences.parent(at.id, number)
      if (at.responseKey === null) path = []
      else path.unshift(at.responseKey, ...this.#indices(at, parent, number))
      number = parent
      at = this.#occurrences.position(at.parent)
    }
    return path
  }

  /** Response path of all objects of a position together, which ends at the first list. */
  ofPosition(position: PositionId): Path {
    const keys: string[] = []
    let at = this.#occurrences.position(position)
    while (at.parent >= 0) {
      if (at.responseKey === null) keys.length = 0
      else keys.unshift(at.responseKey)
      at = this.#occurrences.position(at.parent)
    }
    if (this.#occurrences.count(position) === 0) return keys
    return untilList(this.ofOccurrence(position, 0))
  }

  #indices(position: Position, parent: number, occurrence: number): readonly number[] {
    const [provider] = position.providers
    if (provider?.kind !== 'inline') return []
    const value = this.#occurrences.value(position.parent, provider.slot, parent, provider.key)
    const indices = indicesOf(value, occurrence - this.#occurrences.start(position.id, parent)) ?? []
    return indices.slice(0, this.#plan.listDepths[position.id])
  }

  /** The number of the object of a position above in which an object is, or -1. */
  ancestor(position: PositionId, occurrence: number, ancestor: PositionId): number {
    let at = position
    let number = occurrence
    while (at !== ancestor && number >= 0) {
      const { parent } = this.#occurrences.position(at)
      number = parent < 0 ? -1 : this.#occurrences.parent(at, number)
      at = parent
    }
    return number
  }

  /** Whether the client selected the objects of a position, and not only fields below them. */
  isVisible(position: PositionId): boolean {
    let at = this.#occurrences.position(position)
    while (at.parent >= 0) {
      if (at.responseKey === null) return false
      at = this.#occurrences.position(at.parent)
    }
    return true
  }
}

/** The path up to the first list. */
export function untilList(path: Path): Path {
  const list = path.findIndex((segment) => typeof segment === 'number')
  return list < 0 ? path : path.slice(0, list)
}

/** A text that is different for different paths, made of the first `length` segments. */
export function pathKey(path: Path, length: number): string {
  let key = ''
  // Keys are GraphQL names, so a digit after the separator can only be an index.
  for (let i = 0; i < length; i++) key += `/${path[i]}`
  return key
}
