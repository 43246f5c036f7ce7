/**
 * Notes the types that are read while something is made, so that it can be kept for as long as none of them
 * changes.
 */
import type { SubgraphModel } from '../model/model.ts'
import { continueUnless, type IsStopped } from './stop.ts'

/** Something that was made, with the names of all types that were looked up for it, known or not. */
export type Kept<Value> = { readonly value: Value; readonly reads: readonly string[] }

/** Notes what is read. One that is off notes nothing, for compositions that nobody remembers. */
export class Reads {
  readonly #isOn: boolean
  readonly #isStopped: IsStopped
  #current: Set<string> | null = null

  constructor(isOn: boolean, isStopped: IsStopped = () => false) {
    this.#isOn = isOn
    this.#isStopped = isStopped
  }

  /** Notes that a type was read. */
  note(name: string): void {
    this.#current?.add(name)
  }

  /**
   * Makes something, and returns it with all that was read meanwhile. Throws a CompositionStoppedError if the
   * composition is to stop.
   */
  record<Value>(make: () => Value): Kept<Value> {
    continueUnless(this.#isStopped)
    if (!this.#isOn) return { value: make(), reads: NONE }
    const outer = this.#current
    const current = new Set<string>()
    this.#current = current
    try {
      return { value: make(), reads: [...current] }
    } finally {
      this.#current = outer
    }
  }

  /** Notes everything that was read for something that is used. */
  use<Value>({ value, reads }: Kept<Value>): Value {
    if (this.#current !== null) for (const name of reads) this.#current.add(name)
    return value
  }
}

const NONE: readonly never[] = []

/** Values that are made of one type each, kept for as long as nothing changes that was read for them. */
export class KeptByType<Value> {
  /** All values of this composition. */
  readonly now = new Map<string, Kept<Value>>()
  readonly #before: ReadonlyMap<string, Kept<Value>>
  readonly #changed: ReadonlySet<string>
  readonly #reads: Reads

  /** `changed` are the names of the types that are not what they were in the composition before. */
  constructor(
    before: ReadonlyMap<string, Kept<Value>> | undefined,
    changed: ReadonlySet<string>,
    reads: Reads,
  ) {
    this.#before = before ?? new Map()
    this.#changed = changed
    this.#reads = reads
  }

  /** The value of a type: the one of before, or a new one. */
  of(name: string, make: () => Value): Value {
    let kept = this.now.get(name)
    if (kept === undefined) {
      kept = this.#before.get(name)
      if (kept === undefined || kept.reads.some((read) => this.#changed.has(read)))
        kept = this.#reads.record(make)
      this.now.set(name, kept)
    }
    return this.#reads.use(kept)
  }
}

/** Values that are made of one subgraph alone, kept for as long as its schema stays the same. */
export class KeptByModel<Value> {
  /** All values of this composition. */
  readonly now = new Map<SubgraphModel, Value>()
  readonly #before: ReadonlyMap<SubgraphModel, Value>

  constructor(before: ReadonlyMap<SubgraphModel, Value> | undefined) {
    this.#before = before ?? new Map()
  }

  /** The value of a subgraph: the one of before, or a new one. */
  of(model: SubgraphModel, make: () => Value): Value {
    let value = this.now.get(model)
    if (value === undefined) {
      value = this.#before.get(model) ?? make()
      this.now.set(model, value)
    }
    return value
  }
}
