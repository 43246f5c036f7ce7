/** Makes generations, one per artifact however many flags share it, and finds those that are still alive. */
import { setImmediate } from 'node:timers/promises'
import { type Graph, type OperationLimits, openGraphInSteps, prepareOperation } from '@switchyard/engine'
import type { CompositionEvents } from '../observe/composition-events.ts'
import type { Introspections } from '../introspection/introspections.ts'
import { OperationCache } from '../operation/operation-cache.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { Planning } from '../planning/planning.ts'
import { type EndpointOptions, Endpoints, urlsOf } from '../subgraph/endpoints.ts'
import type { CompiledArtifact, Compiler } from './compiler.ts'
import type { DocumentChecks } from './document-checks.ts'
import { Generation } from './generation.ts'
import { takeTurns } from './turns.ts'

/** What a generation is made with. */
export type GenerationFactoryOptions = EndpointOptions & {
  readonly compiler: Compiler
  readonly planning: Planning
  readonly introspections: Introspections
  readonly limits: Partial<OperationLimits>
  readonly memory: OperationMemory
  /** Fragments with `@defer` are delivered later. */
  readonly mayDefer: boolean
  readonly events: CompositionEvents
  /** null: there are no documents to check compositions against. */
  readonly documentChecks: DocumentChecks | null
}

type OpenedArtifact = Omit<CompiledArtifact, 'compiled'> & { readonly graph: Graph }

/** Makes generations, and finds those that are alive. */
export class GenerationFactory {
  readonly #options: GenerationFactoryOptions
  readonly #alive = new Map<string, Generation>()
  readonly #opening = new Map<string, Promise<OpenedArtifact>>()

  constructor(options: GenerationFactoryOptions) {
    this.#options = options
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
  async build(artifact: string, gzipped: Uint8Array): Promise<Generation> {
    const before = this.reuse(artifact)
    if (before !== null) return before
    const started = performance.now()
    const { graph, packed, size, subgraphs } = await this.#opened(artifact, gzipped)
    const meanwhile = this.reuse(artifact)
    if (meanwhile !== null) return meanwhile
    const { limits, memory, mayDefer, introspections, planning, events, documentChecks } = this.#options
    const generation = new Generation(
      {
        artifact,
        graph,
        size,
        operations: new OperationCache(graph, limits, memory, mayDefer),
        introspections: introspections.open(graph),
        planner: planning.open(packed, artifact),
        endpoints: new Endpoints(subgraphs, this.#options),
      },
      () => {
        this.#alive.delete(artifact)
        documentChecks?.remove(generation)
        events.generationReleased(artifact, size, this.#alive.size)
      },
    )
    this.#alive.set(artifact, generation)
    documentChecks?.add(generation)
    events.subgraphsNotAllowed(artifact, generation.endpoints.neverCalled)
    events.generationBuilt(artifact, size, this.#alive.size, performance.now() - started)
    return generation
  }

  #opened(artifact: string, gzipped: Uint8Array): Promise<OpenedArtifact> {
    let opening = this.#opening.get(artifact)
    if (opening === undefined) {
      opening = this.#open(gzipped).finally(() => this.#opening.delete(artifact))
      this.#opening.set(artifact, opening)
    }
    return opening
  }

  async #open(gzipped: Uint8Array): Promise<OpenedArtifact> {
    const { compiled, packed, size, subgraphs } = await this.#options.compiler.compile(gzipped)
    await this.#options.origins.prepare(
      subgraphs.flatMap((subgraph) => urlsOf(this.#options.subgraphs, subgraph)),
    )
    // The client schema is built here, not in the first request that needs it; a graph whose client schema
    // cannot be built is never swapped in.
    const graph = await openGraphInSteps(compiled, takeTurns())
    await setImmediate()
    prepareOperation(graph, { document: '{ __typename }' })
    return { graph, packed, size, subgraphs }
  }
}
