import { type CompiledGraph, compilePatchable, patchGraph, splitSchema } from '@switchyard/engine'

/**
 * Compiles compositions one after the other. One that differs in a few definitions from the last one that was
 * compiled as a whole, as flags differ from base, is compiled from it and shares the rest.
 */
export class CompositionCompiler {
  #whole: { readonly definitions: readonly string[]; readonly compiled: CompiledGraph } | null = null

  /** Throws a SupergraphError. */
  async compile(supergraphSdl: string): Promise<CompiledGraph> {
    const definitions = splitSchema(supergraphSdl)
    if (this.#whole !== null) {
      const patched = await patchGraph(this.#whole.compiled, this.#whole.definitions, definitions)
      if (patched !== null) return patched.compiled
      // There is no room for two of the largest size.
      this.#whole = null
    }
    const { compiled, isPatchable } = compilePatchable(supergraphSdl)
    if (isPatchable) this.#whole = { definitions, compiled }
    return compiled
  }
}
