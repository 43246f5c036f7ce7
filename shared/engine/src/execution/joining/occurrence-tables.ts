/** Builds, in slices, the tables in which `Occurrences` finds objects. */
import type { TypeId } from '../../ids/ids.ts'
import type { Position } from '../../plan/contract/plan.ts'
import type { SlicedWork } from '../../work/slices.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { ListWalk } from './list-walk.ts'

/**
 * The run-time objects of one position. Those below one occurrence of the parent are the numbers from
 * `starts[parent]` up to, but not including, `starts[parent + 1]`.
 */
export type Table = {
  readonly count: number
  readonly starts: readonly number[]
  readonly parents: readonly number[]
  /** Objects of slot 0. */
  readonly objects: readonly (JsonObject | null)[]
  /** The objects of each slot, once they were asked for. Slot 0 has none here. */
  readonly slots: ((JsonObject | null)[] | undefined)[]
  readonly types: (TypeId | undefined)[]
}

/** Most steps of one slice: a whole number, so that steps can be counted. */
const AT_MOST = 2 ** 30

/** Returns an object of `_entities` or of a root field: null if it is missing, undefined if there is none. */
type ObjectAt = (number: number) => unknown

/** Builds the table of a position. One step for each object of the parent, and for each item of a list. */
export class TableWork implements SlicedWork {
  readonly position: Position
  /** Steps taken so far. */
  steps = 0
  readonly #parentCount: number
  readonly #valueOf: ObjectAt
  readonly #objects: (JsonObject | null)[] = []
  readonly #starts: number[] = []
  readonly #parents: number[] = []
  #walk: ListWalk | null = null
  #isWalking = false

  /** `valueOf` returns the object of a parent, or the list with its objects, by the number of the parent. */
  constructor(position: Position, parentCount: number, valueOf: ObjectAt) {
    this.position = position
    this.#parentCount = parentCount
    this.#valueOf = valueOf
  }

  get table(): Table {
    return {
      count: this.#objects.length,
      starts: this.#starts,
      parents: this.#parents,
      objects: this.#objects,
      slots: [],
      types: [],
    }
  }

  proceed(steps: number): boolean {
    const slice = Math.min(steps, AT_MOST)
    const left = this.#proceed(slice)
    this.steps += slice - Math.max(left, 0)
    return left >= 0
  }

  /** Steps that are left; -1 if there is more to do. */
  #proceed(steps: number): number {
    const objects = this.#objects
    const starts = this.#starts
    const parents = this.#parents
    const keepsNull = this.position.providers[0]?.kind !== 'inline'
    let left = steps
    for (;;) {
      if (this.#isWalking && this.#walk !== null) {
        left = this.#walk.proceed(left, objects, null)
        while (parents.length < objects.length) parents.push(starts.length - 1)
        if (left < 0) return -1
        this.#isWalking = false
      }
      const parent = starts.length
      if (parent > this.#parentCount) return left
      if (left <= 0) return -1
      left--
      starts.push(objects.length)
      if (parent === this.#parentCount) return left
      const value = this.#valueOf(parent)
      if (isJsonObject(value) || (keepsNull && value === null)) {
        objects.push(value)
        parents.push(parent)
      } else if (Array.isArray(value)) {
        this.#walk ??= new ListWalk()
        this.#walk.begin(value)
        this.#isWalking = true
      }
    }
  }
}

/** Collects the objects of a slot, one for each object of slot 0. One step for each. */
export class SlotWork implements SlicedWork {
  readonly objects: (JsonObject | null)[] = []
  steps = 0
  readonly #count: number
  readonly #objectAt: ObjectAt

  constructor(count: number, objectAt: ObjectAt) {
    this.#count = count
    this.#objectAt = objectAt
  }

  /** Whether the lists were as long as those of slot 0. */
  get isEqual(): boolean {
    return true
  }

  proceed(steps: number): boolean {
    const { objects } = this
    const end = Math.min(this.#count, objects.length + steps)
    this.steps += end - objects.length
    while (objects.length < end) {
      const object = this.#objectAt(objects.length)
      objects.push(isJsonObject(object) ? object : null)
    }
    return end === this.#count
  }
}

/**
 * Collects the objects of a slot whose value another subgraph sent for slot 0 as well, list index by list
 * index.
 */
export class CompanionWork implements SlicedWork {
  readonly objects: (JsonObject | null)[] = []
  steps = 0
  isEqual = true
  readonly #starts: readonly number[]
  readonly #valueOf: ObjectAt
  readonly #otherOf: ObjectAt
  readonly #walk = new ListWalk()
  #parent = 0
  #isWalking = false

  constructor(starts: readonly number[], valueOf: ObjectAt, otherOf: ObjectAt) {
    this.#starts = starts
    this.#valueOf = valueOf
    this.#otherOf = otherOf
  }

  proceed(steps: number): boolean {
    const slice = Math.min(steps, AT_MOST)
    const left = this.#proceed(slice)
    this.steps += slice - Math.max(left, 0)
    return left >= 0
  }

  /** Steps that are left; -1 if there is more to do. */
  #proceed(steps: number): number {
    const { objects } = this
    let left = steps
    for (;;) {
      if (this.#isWalking) {
        left = this.#walk.proceed(left, null, objects)
        if (left < 0) return -1
        this.#isWalking = false
        if (!this.#walk.isEqual) this.isEqual = false
        this.#fill(this.#parent++)
      }
      if (this.#parent >= this.#starts.length - 1) return left
      if (left <= 0) return -1
      left--
      this.#begin(this.#parent)
      if (!this.#isWalking) this.#fill(this.#parent++)
    }
  }

  #begin(parent: number): void {
    if (this.#starts[parent] === this.#starts[parent + 1]) return
    const value = this.#valueOf(parent)
    const other = this.#otherOf(parent)
    if (Array.isArray(value)) {
      this.#walk.begin(value, other)
      this.#isWalking = true
    } else this.objects.push(isJsonObject(other) ? other : null)
  }

  /** Adds null for the objects that the second value lacks. */
  #fill(parent: number): void {
    const end = this.#starts[parent + 1] ?? 0
    while (this.objects.length < end) this.objects.push(null)
  }
}
