import type { SlicedWork } from '../work/slices.ts'
import { ExactNumber } from './exact-number.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { CHARACTERS_PER_VALUE_BITS } from './json-weight.ts'

/** A list or an object that is being gone through. */
type Around = {
  readonly list: readonly unknown[] | null
  readonly object: JsonObject
  readonly names: readonly string[]
  next: number
}

const NONE: JsonObject = {}

/** Looks for lists and objects in a value that nest deeper than so many levels. */
export class DeepSearch implements SlicedWork {
  isTooDeep = false
  /** Values looked at; sixteen characters count for one. */
  count = 0
  readonly #levels: number
  /** The lists and objects that are being looked at, each inside the one before it. */
  readonly #around: Around[] = []

  constructor(value: unknown, levels: number) {
    this.#levels = levels
    this.#enter(value)
  }

  proceed(steps: number): boolean {
    const end = this.count + steps
    for (let inner = this.#around.at(-1); inner !== undefined; inner = this.#around.at(-1)) {
      if (this.isTooDeep) return true
      if (this.count >= end) return false
      const { list, object, names } = inner
      if (inner.next === (list ?? names).length) this.#around.pop()
      else {
        this.count++
        const at = inner.next++
        this.#enter(list === null ? object[names[at] ?? ''] : list[at])
      }
    }
    return true
  }

  #enter(value: unknown): void {
    if (typeof value === 'string') this.count += value.length >> CHARACTERS_PER_VALUE_BITS
    else if (value instanceof ExactNumber) this.count += value.text.length >> CHARACTERS_PER_VALUE_BITS
    if (Array.isArray(value)) this.#around.push({ list: value, object: NONE, names: [], next: 0 })
    // Their values would take three times as long to be listed as their names, all in one go.
    else if (isJsonObject(value))
      this.#around.push({ list: null, object: value, names: Object.keys(value), next: 0 })
    else return
    if (this.#around.length > this.#levels) this.isTooDeep = true
  }
}
