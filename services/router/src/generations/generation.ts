/**
 * One compiled artifact: immutable, with its caches. Holders are counted:
 * the tables that serve it, and every request from its admission to its last byte. It is disposed of when the
 * last holder lets go, never before.
 */
import type { Graph } from '@switchyard/engine'
import type { GraphIntrospections } from '../concerns/introspection/introspections.ts'
import type { OperationCache } from '../operation/operation-cache.ts'
import type { GraphPlanner } from '../planning/planning.ts'
import type { SubgraphAddress } from '../call/endpoints.ts'
import type { BuiltGraph } from './build/graph-builder.ts'

/** One compiled composition, with its caches. How its subgraphs are called is a matter of settings. */
export class Generation {
  readonly artifact: string
  readonly graph: Graph
  /** The graph with what others can be compiled from it. */
  readonly built: BuiltGraph
  /** Bytes, roughly, without what the caches hold. */
  readonly size: number
  readonly subgraphs: readonly SubgraphAddress[]
  readonly introspections: GraphIntrospections
  readonly planner: GraphPlanner
  #operations: OperationCache
  readonly #onDisposed: (generation: Generation) => void
  #holders = 1

  /** Creates a generation. Its creator is its first holder. */
  constructor(
    parts: {
      readonly artifact: string
      readonly graph: Graph
      readonly built: BuiltGraph
      readonly operations: OperationCache
      readonly introspections: GraphIntrospections
      readonly planner: GraphPlanner
    },
    onDisposed: (generation: Generation) => void,
  ) {
    this.artifact = parts.artifact
    this.graph = parts.graph
    this.built = parts.built
    this.size = parts.built.size
    this.subgraphs = parts.built.subgraphs
    this.#operations = parts.operations
    this.introspections = parts.introspections
    this.planner = parts.planner
    this.#onDisposed = onDisposed
  }

  /** The operations that were prepared by the rules in force. */
  get operations(): OperationCache {
    return this.#operations
  }

  /**
   * Replaces the operations, which were prepared under other rules. Only requests that already have an old
   * one keep it.
   */
  replaceOperations(operations: OperationCache): void {
    this.#operations.clear()
    this.#operations = operations
  }

  acquire(): this {
    if (this.#holders === 0)
      throw new Error(`Generation ${this.artifact} was disposed: it cannot be acquired.`)
    this.#holders++
    return this
  }

  release(): void {
    if (this.#holders === 0) throw new Error(`Generation ${this.artifact} was released too often.`)
    if (--this.#holders > 0) return
    this.#operations.clear()
    this.introspections.clear()
    this.planner[Symbol.dispose]()
    this.#onDisposed(this)
  }
}
