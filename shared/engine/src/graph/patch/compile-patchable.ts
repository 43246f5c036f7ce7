/** Compiles whole texts from which others are compiled later. */
import { compileDocument } from '../compile.ts'
import type { CompiledGraph } from '../compiled/compiled-graph.ts'
import { parseSupergraph } from '../header/header.ts'
import { splitSchema } from '../header/split-schema.ts'
import { parseExactPieces } from './definition-texts.ts'

/** A graph, and whether `patchGraph` may compile others from it. */
export type PatchableGraph = { readonly compiled: CompiledGraph; readonly isPatchable: boolean }

/**
 * Compiles a supergraph as `compileSupergraph` does, and says whether each piece of its text is a definition
 * by itself. Throws a SupergraphError.
 */
export function compilePatchable(supergraphSdl: string): PatchableGraph {
  const document = parseExactPieces(splitSchema(supergraphSdl))
  return {
    compiled: compileDocument(document ?? parseSupergraph(supergraphSdl)),
    isPatchable: document !== null,
  }
}
