import type { SlicedWork } from '../work/slices.ts'
import { ExactNumber } from '../json/exact-number.ts'
import { isJsonObject } from './json-object.ts'
import { CHARACTERS_PER_VALUE_BITS } from './weight.ts'

/** Looks for lists and objects in a value that nest deeper than so many levels. */
export class DeepSearch implements SlicedWork {
  isTooDeep = false
  /** Values looked at; sixteen characters count for one. */
  count = 0
  readonly #levels: number
  /** What is looked at, one in the other. */
  readonly #around: { readonly values: readonly unknown[]; next: number }[] = []

  constructor(value: unknown, levels: number) {
    this.#levels = levels
    this.#enter(value)
  }

  proceed(steps: number): boolean {
    const end = this.count + steps
    for (let inner = this.#around.at(-1); inner !== undefined; inner = this.#around.at(-1)) {
      if (this.isTooDeep) return true
      if (this.count >= end) return false
      if (inner.next === inner.values.length) this.#around.pop()
      else {
        this.count++
        this.#enter(inner.values[inner.next++])
      }
    }
    return true
  }

  #enter(value: unknown): void {
    if (typeof value === 'string') this.count += value.length >> CHARACTERS_PER_VALUE_BITS
    else if (value instanceof ExactNumber) this.count += value.text.length >> CHARACTERS_PER_VALUE_BITS
    const values = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : null
    if (values === null) return
    this.#around.push({ values, next: 0 })
    if (this.#around.length > this.#levels) this.isTooDeep = true
  }
}
