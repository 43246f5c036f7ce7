/**
 * Operations of one generation that were parsed and validated before, by text and name. Bounded by bytes: clients choose the
 * texts.
 */
import { type Graph, type Operation, type OperationLimits, prepareOperation } from '@switchyard/engine'
import { LRUCache } from 'lru-cache'
import { OperationPlans } from '../planning/operation-plans.ts'

export type CachedOperation = {
  readonly document: string
  readonly operationName: string | null
  readonly operation: Operation
  readonly plans: OperationPlans
  /** How often it was asked for: the hottest are planned again when the generation is replaced. */
  uses: number
}

/** What a parsed document takes in memory, roughly. */
const BYTES_PER_CHARACTER = 90
const BYTES_PER_ENTRY = 4096

export class OperationCache {
  readonly #graph: Graph
  readonly #limits: Partial<OperationLimits>
  readonly #entries: LRUCache<string, CachedOperation>

  constructor(graph: Graph, limits: Partial<OperationLimits>, maxBytes: number) {
    this.#graph = graph
    this.#limits = limits
    this.#entries = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: ({ document, plans }) =>
        document.length * BYTES_PER_CHARACTER + BYTES_PER_ENTRY + plans.size,
    })
  }

  /** Throws the engine's RequestError; what is not valid is not kept. */
  get(document: string, operationName: string | null): CachedOperation {
    // No operation name holds a line break, so the two parts cannot run into each other.
    const key = operationName === null ? document : `${operationName}\n${document}`
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      const operation = prepareOperation(this.#graph, { document, operationName, limits: this.#limits })
      entry = {
        document,
        operationName,
        operation,
        plans: new OperationPlans(() => this.#measureAgain(key)),
        uses: 0,
      }
      this.#entries.set(key, entry)
    }
    entry.uses++
    return entry
  }

  /** The cache measures what is put into it, and only then. */
  #measureAgain(key: string): void {
    const entry = this.#entries.peek(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  hottest(count: number): readonly CachedOperation[] {
    return [...this.#entries.values()].sort((a, b) => b.uses - a.uses).slice(0, count)
  }

  get size(): number {
    return this.#entries.size
  }

  clear(): void {
    this.#entries.clear()
  }
}
