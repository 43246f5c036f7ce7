/** Runs in a worker thread: unpacks an artifact, checks its form, and compiles its supergraph, off the serving thread. */
import { parentPort } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { Artifact, MAX_ARTIFACT_BYTES, RoutingUrl } from '@switchyard/contracts'
import { buffersOf, compileSupergraph, cutGraph } from '@switchyard/engine'
import { z } from 'zod'
import { packGraph } from '../planning/packed-graph.ts'
import type { CompileAnswer, CompileRequest } from './compiler.ts'

/** Subgraphs in supergraphs of other composers are named by other rules than ours. */
const CompilableArtifact = Artifact.extend({
  subgraphs: z
    .array(
      z.object({ name: z.string().min(1), routingUrl: RoutingUrl, baseName: z.string().min(1).optional() }),
    )
    .min(1),
})

parentPort?.on('message', ({ id, gzipped }: CompileRequest) => {
  const answer = compiled(id, gzipped)
  parentPort?.postMessage(answer, answer.ok ? buffersOf(answer.pieces) : [])
})

function compiled(id: number, gzipped: Uint8Array): CompileAnswer {
  try {
    const text = gunzipSync(gzipped, { maxOutputLength: MAX_ARTIFACT_BYTES }).toString('utf8')
    const artifact = CompilableArtifact.parse(JSON.parse(text))
    const graph = compileSupergraph(artifact.supergraphSdl)
    return {
      id,
      ok: true,
      pieces: cutGraph(graph),
      packed: packGraph(graph),
      subgraphs: artifact.subgraphs,
    }
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
