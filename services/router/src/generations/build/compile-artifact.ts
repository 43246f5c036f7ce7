/** Compiles the supergraph in the gzipped bytes of an artifact, or of its chunks. */
import { gunzipSync } from 'node:zlib'
import { Artifact, MAX_ARTIFACT_BYTES, RoutingUrl } from '@switchyard/contracts'
import { joinArtifact } from '@switchyard/contracts/artifact-pieces'
import { type CompiledGraph, compilePatchable, cutGraph, type GraphPieces } from '@switchyard/engine'
import { z } from 'zod'
import { type PackedGraph, packGraph } from '../../planning/packed-graph.ts'
import type { ArtifactContent } from '../content/artifact-content.ts'
import type { SubgraphAddress } from '../../call/endpoints.ts'

/** The result of compiling an artifact. `pieces` and `packed` can be sent to other threads. */
export type CompileAnswer =
  | {
      readonly ok: true
      readonly pieces: GraphPieces
      readonly packed: PackedGraph
      readonly subgraphs: readonly SubgraphAddress[]
      /** Whether the graph of a changed text can be compiled from this one. */
      readonly isPatchable: boolean
    }
  | { readonly ok: false; readonly message: string }

/** Subgraphs in supergraphs of other composers are named by other rules than ours. */
const CompilableArtifact = Artifact.extend({
  subgraphs: z
    .array(
      z.object({
        name: z.string().min(1),
        routingUrl: RoutingUrl,
        baseName: z.string().min(1).optional(),
        preview: z.literal(true).optional(),
      }),
    )
    .min(1),
})

/** An artifact that can be compiled. */
export type ReadArtifact = z.output<typeof CompilableArtifact>

/** Reads the text of an artifact. Throws if it is none. */
export function readArtifact(text: string): ReadArtifact {
  return CompilableArtifact.parse(JSON.parse(text))
}

function unpackContent(content: ArtifactContent): ReadArtifact {
  if (content.kind === 'whole')
    return readArtifact(gunzipSync(content.gzipped, { maxOutputLength: MAX_ARTIFACT_BYTES }).toString('utf8'))
  const { list, chunks } = content
  return joinArtifact(list, (sha256) => gunzipSync(chunks.get(sha256) ?? new Uint8Array()).toString('utf8'))
}

/** The graph, without its rules of who may see what if the artifact says that nobody enforces them. */
export function enforced(
  graph: CompiledGraph,
  { allowUnenforcedAuthorization }: Pick<Artifact, 'allowUnenforcedAuthorization'>,
): CompiledGraph {
  // Without the table nothing is looked for, and everything is granted.
  return allowUnenforcedAuthorization === true ? { ...graph, access: null } : graph
}

/** Unpacks an artifact, checks its form, and compiles its supergraph, in one go. Never throws. */
export function compileArtifact(content: ArtifactContent): CompileAnswer {
  try {
    const artifact = unpackContent(content)
    const { compiled, isPatchable } = compilePatchable(artifact.supergraphSdl)
    const graph = enforced(compiled, artifact)
    return {
      ok: true,
      pieces: cutGraph(graph),
      packed: packGraph(graph),
      subgraphs: artifact.subgraphs,
      isPatchable,
    }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
