/**
 * Runs in a worker thread: unpacks an artifact, checks its form, and compiles its supergraph, off the serving
 * thread.
 */
import { gunzipSync } from 'node:zlib'
import { Artifact, MAX_ARTIFACT_BYTES, RoutingUrl } from '@switchyard/contracts'
import { buffersOf, compileSupergraph, cutGraph } from '@switchyard/engine'
import { serveTasks } from '@switchyard/worker-host'
import { z } from 'zod'
import { packGraph } from '../planning/packed-graph.ts'
import type { CompileAnswer } from './compiler.ts'

/** Subgraphs in supergraphs of other composers are named by other rules than ours. */
const CompilableArtifact = Artifact.extend({
  subgraphs: z
    .array(
      z.object({ name: z.string().min(1), routingUrl: RoutingUrl, baseName: z.string().min(1).optional() }),
    )
    .min(1),
})

serveTasks<Uint8Array, CompileAnswer>({
  run: compiled,
  transfer: (answer) => (answer.ok ? buffersOf(answer.pieces) : []),
})

function compiled(gzipped: Uint8Array): CompileAnswer {
  try {
    const text = gunzipSync(gzipped, { maxOutputLength: MAX_ARTIFACT_BYTES }).toString('utf8')
    const artifact = CompilableArtifact.parse(JSON.parse(text))
    const graph = compileSupergraph(artifact.supergraphSdl)
    return {
      ok: true,
      pieces: cutGraph(graph),
      packed: packGraph(graph),
      subgraphs: artifact.subgraphs,
    }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
