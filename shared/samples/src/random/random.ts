/**
 * Choices that a seed repeats: the same seed gives the same schema, split, operation and values in any
 * process.
 */

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = hashText(`seed ${seed}`)
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    const bits = this.#bits()
    return limit <= 1 ? 0 : bits % limit
  }

  /** Returns a number in [0, 1). */
  next(): number {
    return this.#bits() / 2 ** 32
  }

  /** Returns true in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('Nothing to choose from')
    return value
  }

  /** Some of the values, in their order: at least `least`, as far as there are so many. */
  some<Value>(values: readonly Value[], least: number, most: number): Value[] {
    const wanted = new Set(this.shuffled(values).slice(0, least + this.below(most - least + 1)))
    return values.filter((value) => wanted.has(value))
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    const left = [...values]
    const taken: Value[] = []
    while (left.length > 0) taken.push(...left.splice(this.below(left.length), 1))
    return taken
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return mix(this.#state)
  }
}

/** 32 bits that depend on every character. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return mix(hash)
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
