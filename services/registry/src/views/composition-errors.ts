/** All errors of a composition, with advice and the schemas that their places are in. */
import { adviceOn } from '@switchyard/composition/advice'
import { type CompositionErrors, CompositionMessage, type RecordedResult } from '@switchyard/contracts'
import { compositionInputs, type FederatedGraph, type NamespaceState } from '@switchyard/domain'
import type { BlobStore } from '@switchyard/event-log'
import { z } from 'zod'
import { currentResult, type ViewSources } from './view-sources.ts'

export async function compositionErrors(
  blobs: BlobStore,
  result: RecordedResult,
  sources: NonNullable<CompositionErrors['sources']> | null,
): Promise<CompositionErrors> {
  if (result.status !== 'failed') return { errors: [], advice: {}, sources }
  const errors = await errorsOf(blobs, result)
  const codes = [...new Set(errors.map(({ code }) => code))]
  const advice = codes.flatMap((code) => {
    const text = adviceOn(code)
    return text === null ? [] : [[code, text] as const]
  })
  return { errors, advice: Object.fromEntries(advice), sources }
}

/** The schemas of a composition; null while a newer one is on its way. `featureFlag` is null for the base. */
export function sourcesOf(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  featureFlag: string | null,
): { subgraph: string; sha256: string }[] | null {
  if (currentResult(sources, state, graph) === null) return null
  const inputs = compositionInputs(state, graph.name)
  const composed =
    featureFlag === null ? inputs?.base : inputs?.flags.find(({ name }) => name === featureFlag)?.subgraphs
  return composed?.map(({ name, schema }) => ({ subgraph: name, sha256: schema })) ?? null
}

async function errorsOf(
  blobs: BlobStore,
  { errors, errorsBlob }: Extract<RecordedResult, { status: 'failed' }>,
): Promise<CompositionMessage[]> {
  if (errorsBlob === undefined) return errors
  const text = new TextDecoder().decode(await blobs.get(errorsBlob))
  return z.array(CompositionMessage).parse(JSON.parse(text))
}
