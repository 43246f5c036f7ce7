/** Reads what a check needs from the stores, at its turn, as bytes that are moved to the thread. */
import type { Transferable } from 'node:worker_threads'
import { type ArtifactReference, problem, ProblemError } from '@switchyard/contracts'
import type { NamespaceState } from '@switchyard/domain'
import { type ArtifactStores, readArtifact } from '@switchyard/event-log'
import { type ForeseenChange, neededSchemas } from '@switchyard/schema-checks'
import { newestReports } from '../views/composition-reports.ts'
import { newestResult, type ViewSources } from '../views/view-sources.ts'
import type { CheckTask, GraphToCheck } from './check-publication.ts'

/** Most bytes of compositions, schemas and documents of one check. */
const MOST_BYTES = 256 * 1024 * 1024

export type CheckRequest = {
  readonly state: NamespaceState
  readonly change: ForeseenChange
  readonly strict: boolean
  /** The proposed schema, by its hash. */
  readonly proposed: readonly [sha256: string, sdl: string]
}

/** Rejects with a ProblemError if the check needs too much. */
export async function readCheck(
  stores: ArtifactStores,
  sources: ViewSources,
  { state, change, strict, proposed }: CheckRequest,
): Promise<{ readonly task: CheckTask; readonly transfer: readonly Transferable[] }> {
  const transfer: Transferable[] = []
  let left = MOST_BYTES
  const own = async (reading: Promise<Uint8Array>): Promise<Uint8Array> => {
    const bytes = new Uint8Array(await reading)
    left -= bytes.length
    if (left < 0) throw tooMuch()
    transfer.push(bytes.buffer)
    return bytes
  }
  const sdls = new Map([[proposed[0], await own(Promise.resolve(Buffer.from(proposed[1])))]])
  for (const hash of neededSchemas(change).keys())
    if (!sdls.has(hash)) sdls.set(hash, await own(stores.blobs.get(hash)))
  const artifacts = new Map<string, Uint8Array>()
  const keep = async (reference: ArtifactReference): Promise<string> => {
    const { artifact } = reference
    if (!artifacts.has(artifact)) artifacts.set(artifact, await own(readArtifact(stores, reference)))
    return artifact
  }
  const graphs: GraphToCheck[] = []
  for (const { name } of change.graphs) {
    const graph = state.graphs.get(name)
    if (graph === undefined) continue
    const config = sources.revisions.newest({ namespace: state.namespace, graph: name })
    const served: [string | null, string][] = []
    if (config?.base) served.push([null, await keep(config.base)])
    for (const [flag, reference] of Object.entries(config?.featureFlags ?? {}))
      served.push([flag, await keep(reference)])
    const documents: GraphToCheck['documents'][number][] = []
    for (const { name: manifest, clients, manifest: hash } of graph.documents)
      documents.push({ name: manifest, clients, bytes: await own(stores.blobs.get(hash)) })
    const compositions = newestReports(name, newestResult(sources, state, graph))
    graphs.push({ name, served, compositions, documents })
  }
  return { task: { kind: 'check', change, strict, graphs, sdls, artifacts }, transfer }
}

function tooMuch(): ProblemError {
  const text = `The graphs and flags that this schema affects have more than ${MOST_BYTES / 1024 / 1024} MiB of compositions, which is more than the registry checks at once. "switchyard subgraph check" does it on your machine.`
  return new ProblemError(problem('ANSWER_TOO_EXPENSIVE', text))
}
