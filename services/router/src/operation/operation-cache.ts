/**
 * Operations of one generation that were parsed and validated before, by text and name. Bounded by bytes, since clients choose
 * the texts; the bytes are shared with all other generations.
 */
import {
  type Graph,
  type Operation,
  type OperationLimits,
  type OperationRequest,
  prepareOperation,
} from '@switchyard/engine'
import { OperationPlans } from '../planning/operation-plans.ts'
import type { OperationMemory, Remembered } from './operation-memory.ts'

export type CachedOperation = {
  readonly document: string
  readonly operationName: string | null
  /** Its fragments with `@defer` are delivered later. */
  readonly mayDefer: boolean
  readonly operation: Operation
  readonly plans: OperationPlans
  /** How often it was asked for: the hottest are planned again when the generation is replaced. */
  uses: number
}

/** What a parsed document takes in memory, roughly. */
const BYTES_PER_CHARACTER = 90
const BYTES_PER_ENTRY = 4096

type Entry = CachedOperation & Remembered
type OnStep = NonNullable<OperationRequest['onStep']>

export class OperationCache {
  readonly #graph: Graph
  readonly #limits: Partial<OperationLimits>
  readonly #memory: OperationMemory
  readonly #mayDefer: boolean
  readonly #entries = new Map<string, Entry>()

  constructor(graph: Graph, limits: Partial<OperationLimits>, memory: OperationMemory, mayDefer = false) {
    this.#graph = graph
    this.#limits = limits
    this.#memory = memory
    this.#mayDefer = mayDefer
  }

  /** Throws the engine's RequestError; what is not valid is not kept. `onStep` hears of the steps that have to be made. */
  get(document: string, operationName: string | null, onStep?: OnStep): CachedOperation {
    // No operation name holds a line break, so the two parts cannot run into each other.
    const key = operationName === null ? document : `${operationName}\n${document}`
    const known = this.#entries.get(key)
    const entry = known ?? this.#entryOf(key, document, operationName, onStep)
    if (known === undefined) {
      this.#entries.set(key, entry)
      this.#memory.add(entry)
    } else this.#memory.used(entry)
    entry.uses++
    return entry
  }

  #entryOf(key: string, document: string, operationName: string | null, onStep: OnStep | undefined): Entry {
    const operation = prepareOperation(this.#graph, {
      document,
      operationName,
      limits: this.#limits,
      defer: this.#mayDefer,
      ...(onStep !== undefined && { onStep }),
    })
    const plans = new OperationPlans(() => this.#memory.resized(entry))
    const entry: Entry = {
      document,
      operationName,
      mayDefer: this.#mayDefer,
      operation,
      plans,
      uses: 0,
      get size() {
        return document.length * BYTES_PER_CHARACTER + BYTES_PER_ENTRY + plans.size
      },
      forget: () => this.#entries.delete(key),
    }
    return entry
  }

  hottest(count: number): readonly CachedOperation[] {
    return [...this.#entries.values()].sort((a, b) => b.uses - a.uses).slice(0, count)
  }

  get size(): number {
    return this.#entries.size
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#memory.remove(entry)
    this.#entries.clear()
  }
}
