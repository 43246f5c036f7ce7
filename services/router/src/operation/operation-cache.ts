/**
 * Operations of one generation that were parsed and validated before, by text and name. Bounded by bytes,
 * since clients choose the texts; the bytes are shared with all other generations.
 */
import {
  type Graph,
  type Operation,
  type OperationLimits,
  type OperationStep,
  prepareOperation,
} from '@switchyard/engine'
import { OperationPlans } from './operation-plans.ts'
import type { OperationMemory, MemoryEntry } from '../memory/operation-memory.ts'
import { ownText, textSize } from '../memory/own-text.ts'
import { TextMap } from '../memory/text-map.ts'

/** The rules that operations are checked against when they are prepared. */
export type OperationRules = {
  readonly limits: Partial<OperationLimits>
  /** Fragments with `@defer` are delivered later. */
  readonly mayDefer: boolean
  /** Subscriptions are served. */
  readonly maySubscribe: boolean
}

/** An operation that is parsed and validated, with its plans. */
export type CachedOperation = {
  readonly document: string
  readonly operationName: string | null
  /** Whether fragments with `@defer` are delivered later. */
  readonly mayDefer: boolean
  readonly operation: Operation
  readonly plans: OperationPlans
  /** Notes of an observer about requests with it; null if there are none. */
  counted: object | null
  /** Number of uses. The operations with most are planned again when the generation is replaced. */
  uses: number
}

/**
 * Approximate bytes of an operation in memory, measured with documents of 6 to 350 nodes and right within a
 * fifth.
 */
const PER_OPERATION = 2600
const PER_NODE = 100
const PER_VARIABLE = 500

type RememberedOperation = CachedOperation & MemoryEntry
type StepObserver = { stepBegan(step: OperationStep): void }

/** The operations of one generation. */
export class OperationCache {
  readonly #graph: Graph
  readonly #rules: OperationRules
  readonly #memory: OperationMemory
  /** Entries by document, then by operation name: a lookup makes no text, and hashes the document once. */
  readonly #entries = new TextMap<Map<string | null, RememberedOperation>>()
  #size = 0

  /** Without rules, the limits are the defaults, and neither `@defer` nor subscriptions are allowed. */
  constructor(graph: Graph, rules: Partial<OperationRules>, memory: OperationMemory) {
    this.#graph = graph
    this.#rules = { limits: {}, mayDefer: false, maySubscribe: false, ...rules }
    this.#memory = memory
  }

  /** Returns the operation, or null if it was not used yet or is forgotten. */
  find(document: string, operationName: string | null): CachedOperation | null {
    const known = this.#entries.get(document)?.get(operationName)
    if (known === undefined) return null
    this.#memory.lookups.hits++
    this.#memory.used(known)
    known.uses++
    return known
  }

  /**
   * Throws the engine's RequestError; what is not valid is not kept. `observer` hears of the steps that have
   * to be made.
   */
  get(document: string, operationName: string | null, observer?: StepObserver): CachedOperation {
    const known = this.find(document, operationName)
    if (known !== null) return known
    this.#memory.lookups.misses++
    const entry = this.#entryOf(document, operationName, observer)
    this.#keep(entry)
    this.#memory.add(entry)
    entry.uses++
    return entry
  }

  #keep(entry: RememberedOperation): void {
    const { document, operationName } = entry
    const named = this.#entries.get(document)
    if (named === undefined) this.#entries.set(document, new Map([[operationName, entry]]))
    else named.set(operationName, entry)
    this.#size++
  }

  #forget({ document, operationName }: RememberedOperation): void {
    const named = this.#entries.get(document)
    if (named?.delete(operationName) !== true) return
    this.#size--
    if (named.size === 0) this.#entries.delete(document)
  }

  #entryOf(
    given: string,
    operationName: string | null,
    observer: StepObserver | undefined,
  ): RememberedOperation {
    const document = ownText(given)
    const { limits, mayDefer: defer, maySubscribe: subscriptions } = this.#rules
    const operation = prepareOperation(this.#graph, {
      document,
      operationName,
      limits,
      defer,
      subscriptions,
      ...(observer !== undefined && { onStep: (step) => observer.stepBegan(step) }),
    })
    const plans = new OperationPlans(() => this.#memory.resized(entry))
    const variables = operation.definition.variableDefinitions?.length ?? 0
    const ownSize = PER_OPERATION + PER_NODE * operation.nodes + PER_VARIABLE * variables + textSize(document)
    const entry: RememberedOperation = {
      document,
      // As the document has it: the one that came with it may be a part of its body.
      operationName: operationName === operation.name ? operation.name : operationName,
      mayDefer: defer,
      operation,
      plans,
      counted: null,
      uses: 0,
      get size() {
        return ownSize + plans.size
      },
      get planCount() {
        return plans.count
      },
      forget: () => this.#forget(entry),
    }
    return entry
  }

  hottest(count: number): readonly CachedOperation[] {
    return this.#all()
      .sort((a, b) => b.uses - a.uses)
      .slice(0, count)
  }

  get size(): number {
    return this.#size
  }

  clear(): void {
    for (const entry of this.#all()) this.#memory.remove(entry)
    this.#entries.clear()
    this.#size = 0
  }

  #all(): RememberedOperation[] {
    return this.#entries.values().flatMap((named) => [...named.values()])
  }
}
