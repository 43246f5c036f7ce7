/**
 * The parts of a composition that depend on the settings: the endpoints of its subgraphs, and its operations
 * under the limits in force. Requests that began under other settings keep their own parts.
 */
import type { Graph } from '@switchyard/engine'
import type { OperationCache, OperationRules } from '../operation/operation-cache.ts'
import { type EndpointOptions, Endpoints } from '../call/endpoints.ts'
import type { Generation } from './generation.ts'

/** The parts of one composition. */
export type ServedPart = {
  readonly graph: Graph
  readonly endpoints: Endpoints
  readonly operations: OperationCache
}

/** The operations of a composition that were judged by these rules. */
type OperationsOf = (generation: Generation, rules: OperationRules) => OperationCache

/** The subgraphs that have a server. */
function calledSubgraphs({ subgraphs, graph }: Generation): Generation['subgraphs'] {
  const { subgraphs: compiled } = graph.compiled
  const ofEvents = new Set(compiled.flatMap(({ name, events }) => (events === undefined ? [] : [name])))
  return ofEvents.size === 0 ? subgraphs : subgraphs.filter(({ name }) => !ofEvents.has(name))
}

/**
 * The parts of all compositions under one version of the settings. Must be disposed after its last request.
 */
export class ServedParts implements Disposable {
  readonly #operationsOf: OperationsOf
  readonly #endpoints: EndpointOptions
  readonly #rules: OperationRules
  readonly #byGeneration = new Map<Generation, ServedPart>()

  /** Before requests come, call `prepare`, and register it by `factory.serve`. */
  constructor(endpoints: EndpointOptions, rules: OperationRules, operationsOf: OperationsOf) {
    this.#operationsOf = operationsOf
    this.#endpoints = endpoints
    this.#rules = rules
  }

  get rules(): OperationRules {
    return this.#rules
  }

  /** Loads what subgraphs are called with. */
  prepare(): Promise<void> {
    return this.#endpoints.origins.prepare()
  }

  /** The caller holds the generation. */
  of(generation: Generation): ServedPart {
    const known = this.#byGeneration.get(generation)
    if (known !== undefined) return known
    const part = {
      graph: generation.graph,
      endpoints: new Endpoints(calledSubgraphs(generation), this.#endpoints),
      operations: this.#operationsOf(generation, this.#rules),
    }
    this.#byGeneration.set(generation, part)
    return part
  }

  /** The generation has ended. */
  forget(generation: Generation): void {
    const part = this.#byGeneration.get(generation)
    this.#byGeneration.delete(generation)
    part?.endpoints[Symbol.dispose]()
    part?.operations.clear()
  }

  [Symbol.dispose](): void {
    for (const [generation, { endpoints, operations }] of this.#byGeneration) {
      endpoints[Symbol.dispose]()
      if (operations !== generation.operations) operations.clear()
    }
    this.#byGeneration.clear()
  }
}
