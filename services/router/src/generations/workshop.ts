/** Makes generations, one per artifact however many flags share it, and finds those that are still alive. */
import { type OperationLimits, openGraph, prepareOperation } from '@switchyard/engine'
import { OperationCache } from '../operation/operation-cache.ts'
import type { Planning } from '../planning/planning.ts'
import { type EndpointOptions, Endpoints } from '../subgraph/endpoints.ts'
import type { CompiledArtifact, Compiler } from './compiler.ts'
import { Generation } from './generation.ts'

export type WorkshopOptions = EndpointOptions & {
  readonly compiler: Compiler
  readonly planning: Planning
  readonly limits: Partial<OperationLimits>
  readonly operationCacheSize: number
}

export class Workshop {
  readonly #options: WorkshopOptions
  readonly #alive = new Map<string, Generation>()
  readonly #compiling = new Map<string, Promise<CompiledArtifact>>()

  constructor(options: WorkshopOptions) {
    this.#options = options
  }

  /** The generation of an artifact, already acquired, or null when it would have to be compiled. */
  reuse(artifact: string): Generation | null {
    return this.#alive.get(artifact)?.acquire() ?? null
  }

  /** Compiles unless somebody did or does. The caller holds the result. Throws NotCompiledError. */
  async build(artifact: string, gzipped: Uint8Array): Promise<Generation> {
    const before = this.reuse(artifact)
    if (before !== null) return before
    const { compiled, packed, subgraphs } = await this.#compile(artifact, gzipped)
    const meanwhile = this.reuse(artifact)
    if (meanwhile !== null) return meanwhile
    const graph = openGraph(compiled)
    // Builds the client schema now: no request waits for it, and one that cannot be built is never swapped in.
    prepareOperation(graph, { document: '{ __typename }' })
    const { limits, operationCacheSize, planning } = this.#options
    const generation = new Generation(
      {
        artifact,
        graph,
        operations: new OperationCache(graph, limits, operationCacheSize),
        planner: planning.open(graph, packed, artifact),
        endpoints: new Endpoints(subgraphs, this.#options),
      },
      () => this.#alive.delete(artifact),
    )
    this.#alive.set(artifact, generation)
    return generation
  }

  get artifacts(): readonly string[] {
    return [...this.#alive.keys()]
  }

  #compile(artifact: string, gzipped: Uint8Array): Promise<CompiledArtifact> {
    let compiling = this.#compiling.get(artifact)
    if (compiling === undefined) {
      compiling = this.#options.compiler.compile(gzipped).finally(() => this.#compiling.delete(artifact))
      this.#compiling.set(artifact, compiling)
    }
    return compiling
  }
}
