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

/** An operation that is parsed and validated, with its plans. */
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

/** What an operation takes in memory: measured with documents of 6 to 350 nodes, right within a fifth. */
const PER_OPERATION = 2600
const PER_NODE = 100
const PER_VARIABLE = 500

type RememberedOperation = CachedOperation & MemoryEntry & { readonly key: string }
type StepObserver = { stepBegan(step: OperationStep): void }

/** The operations of one generation. */
export class OperationCache {
  readonly #graph: Graph
  readonly #limits: Partial<OperationLimits>
  readonly #memory: OperationMemory
  readonly #mayDefer: boolean
  readonly #entries = new Map<string, RememberedOperation>()

  constructor(graph: Graph, limits: Partial<OperationLimits>, memory: OperationMemory, mayDefer = false) {
    this.#graph = graph
    this.#limits = limits
    this.#memory = memory
    this.#mayDefer = mayDefer
  }

  /** Whether `get` has nothing to do. */
  has(document: string, operationName: string | null): boolean {
    return this.#entries.has(keyOf(document, operationName))
  }

  /**
   * Throws the engine's RequestError; what is not valid is not kept. `observer` hears of the steps that have
   * to be made.
   */
  get(document: string, operationName: string | null, observer?: StepObserver): CachedOperation {
    const known = this.#entries.get(keyOf(document, operationName))
    if (known === undefined) this.#memory.lookups.misses++
    else this.#memory.lookups.hits++
    const entry = known ?? this.#entryOf(document, operationName, observer)
    if (known === undefined) {
      this.#entries.set(entry.key, entry)
      this.#memory.add(entry)
    } else this.#memory.used(entry)
    entry.uses++
    return entry
  }

  #entryOf(
    given: string,
    operationName: string | null,
    observer: StepObserver | undefined,
  ): RememberedOperation {
    const document = ownText(given)
    const key = keyOf(document, operationName)
    const operation = prepareOperation(this.#graph, {
      document,
      operationName,
      limits: this.#limits,
      defer: this.#mayDefer,
      ...(observer !== undefined && { onStep: (step) => observer.stepBegan(step) }),
    })
    const plans = new OperationPlans(() => this.#memory.resized(entry))
    const texts = textSize(document) + (key === document ? 0 : textSize(key))
    const variables = operation.definition.variableDefinitions?.length ?? 0
    const ownSize = PER_OPERATION + PER_NODE * operation.nodes + PER_VARIABLE * variables + texts
    const entry: RememberedOperation = {
      key,
      document,
      // As the document has it: the one that came with it may be a part of its body.
      operationName: operationName === operation.name ? operation.name : operationName,
      mayDefer: this.#mayDefer,
      operation,
      plans,
      uses: 0,
      get size() {
        return ownSize + plans.size
      },
      get planCount() {
        return plans.count
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

/** No operation name holds a line break, so the two parts cannot run into each other. */
function keyOf(document: string, operationName: string | null): string {
  return operationName === null ? document : `${operationName}\n${document}`
}
