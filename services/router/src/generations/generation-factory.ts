/** Makes generations, one per artifact however many flags share it, and finds those that are still alive. */
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Graph, openGraph, prepareOperation } from '@switchyard/engine'
import type { ArtifactContent } from './content/artifact-content.ts'
import type { CompositionEvents } from './composition-events.ts'
import type { Introspections } from '../concerns/introspection/introspections.ts'
import { OperationCache, type OperationRules } from '../operation/operation-cache.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { Planning } from '../planning/planning.ts'
import type { Endpoints } from '../call/endpoints.ts'
import type { Compiler } from './build/compiler.ts'
import { type BuiltGraph, GraphBuilder } from './build/graph-builder.ts'
import type { DocumentChecks } from './document-checks.ts'
import { Generation } from './generation.ts'
import type { ServedParts } from './served-parts.ts'

/** The parts that generations are made with. */
export type GenerationFactoryOptions = {
  readonly compiler: Compiler
  readonly planning: Planning
  readonly introspections: Introspections
  readonly memory: OperationMemory
  readonly rules: OperationRules
  readonly events: CompositionEvents
  /** Checks compositions against documents; null if there are no documents. */
  readonly documentChecks: DocumentChecks | null
}

type OpenedArtifact = { readonly graph: Graph; readonly built: BuiltGraph }

/** Makes generations, and finds those that are alive. */
export class GenerationFactory {
  readonly #options: GenerationFactoryOptions
  readonly #builder: GraphBuilder
  readonly #alive = new Map<string, Generation>()
  readonly #opening = new Map<string, Promise<OpenedArtifact>>()
  /** The parts in force, those of requests in flight, and those that are about to be put in force. */
  readonly #served = new Set<ServedParts>()
  #inForce: ServedParts | null = null
  #rules: OperationRules

  constructor(options: GenerationFactoryOptions) {
    this.#options = options
    this.#rules = options.rules
    this.#builder = new GraphBuilder(options.compiler, (error) => options.events.notPatched(error))
  }

  get rules(): OperationRules {
    return this.#rules
  }

  /**
   * Prepares compositions for these settings from now on. They can be put in force by `putInForce` when the
   * promise has resolved. Dispose the result when no request has these settings any more.
   */
  async serve(served: ServedParts): Promise<Disposable> {
    await served.prepare()
    this.#served.add(served)
    for (const generation of this.#alive.values()) {
      if (this.#alive.get(generation.artifact) === generation) served.of(generation)
      // There may be many, and requests go on.
      await setImmediate()
    }
    return {
      [Symbol.dispose]: () => {
        this.#served.delete(served)
        served[Symbol.dispose]()
      },
    }
  }

  /** Operations are prepared by the rules of these settings; plans stay where those are the same. */
  putInForce(served: ServedParts): void {
    const { rules } = served
    const hasOtherRules = !isDeepStrictEqual(rules, this.#rules)
    for (const generation of this.#alive.values()) {
      // Connections and circuits stay only where somebody has them before those of other settings are gone.
      const { operations, endpoints } = served.of(generation)
      if (hasOtherRules) generation.replaceOperations(operations)
      this.#tellOf(generation.artifact, endpoints)
    }
    this.#rules = rules
    this.#inForce = served
  }

  /** Returns the operations of the generation if these rules are in force, and new ones otherwise. */
  operationsOf(generation: Generation, rules: OperationRules): OperationCache {
    if (isDeepStrictEqual(rules, this.#rules)) return generation.operations
    return this.#newOperations(generation.graph, rules)
  }

  #newOperations(graph: Graph, rules: OperationRules): OperationCache {
    return new OperationCache(graph, rules, this.#options.memory)
  }

  get planning(): Planning {
    return this.#options.planning
  }

  /**
   * Returns the living generation of an artifact, acquired for the caller; null if it would have to be
   * compiled.
   */
  reuse(artifact: string): Generation | null {
    return this.#alive.get(artifact)?.acquire() ?? null
  }

  /**
   * Returns the generation of an artifact, and compiles it unless that was done or is under way. The caller
   * holds the result. Throws NotCompiledError.
   */
  async build(artifact: string, content: ArtifactContent): Promise<Generation> {
    const before = this.reuse(artifact)
    if (before !== null) return before
    const started = performance.now()
    const { graph, built } = await this.#opened(artifact, content)
    const { size, changed } = built
    // From here on nothing is awaited.
    const meanwhile = this.reuse(artifact)
    if (meanwhile !== null) return meanwhile
    const { introspections, planning, events, documentChecks } = this.#options
    const generation = new Generation(
      {
        artifact,
        graph,
        built,
        operations: this.#newOperations(graph, this.#rules),
        introspections: introspections.open(graph),
        planner: planning.open(built.packed, artifact),
      },
      () => {
        this.#alive.delete(artifact)
        for (const served of this.#served) served.forget(generation)
        documentChecks?.remove(generation)
        events.generationReleased(artifact, size, this.#alive.size)
      },
    )
    this.#alive.set(artifact, generation)
    documentChecks?.add(generation)
    if (this.#inForce !== null) this.#tellOf(artifact, this.#inForce.of(generation).endpoints)
    const milliseconds = performance.now() - started
    events.generationBuilt(artifact, { size, changed, alive: this.#alive.size, milliseconds })
    return generation
  }

  /**
   * Tells the operator which subgraphs may not be called, and which are called without a secure connection.
   */
  #tellOf(artifact: string, { neverCalled, notSecured }: Endpoints): void {
    this.#options.events.subgraphsNotAllowed(artifact, neverCalled)
    this.#options.events.subgraphsNotSecured(artifact, notSecured)
  }

  #opened(artifact: string, content: ArtifactContent): Promise<OpenedArtifact> {
    let opening = this.#opening.get(artifact)
    if (opening === undefined) {
      opening = this.#open(content).finally(() => this.#opening.delete(artifact))
      this.#opening.set(artifact, opening)
    }
    return opening
  }

  async #open(content: ArtifactContent): Promise<OpenedArtifact> {
    const living = () => [...this.#alive.values()].map(({ built }) => built)
    const built = await this.#builder.build(content, living)
    const graph = openGraph(built.compiled)
    await setImmediate()
    // A graph that cannot answer anything is never swapped in.
    prepareOperation(graph, { document: '{ __typename }' })
    return { graph, built }
  }
}
