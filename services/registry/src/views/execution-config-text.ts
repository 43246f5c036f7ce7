/**
 * The file form of an execution config, put together from the bytes of its artifacts: they are JSON already,
 * so that none of them is parsed, and one at a time is in memory.
 */
import {
  type ArtifactReference,
  type DocumentReference,
  EXECUTION_CONFIG_FORMAT,
} from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import { type ArtifactStores, readArtifact } from '@switchyard/event-log'

export type ServedArtifacts = {
  readonly base: ArtifactReference
  readonly featureFlags: readonly (readonly [name: string, artifact: ArtifactReference])[]
  readonly documents: readonly DocumentReference[]
}

/** Base is read before anything is returned: a blob store that fails makes a refusal, not half a file. */
export async function executionConfigChunks(
  stores: ArtifactStores,
  graph: { readonly namespace: string; readonly name: string },
  { base, featureFlags, documents }: ServedArtifacts,
): Promise<AsyncIterable<string | Uint8Array>> {
  const baseBytes = await readArtifact(stores, base)
  const flags = featureFlags.toSorted(([left], [right]) => compareNames(left, right))
  const head = { formatVersion: EXECUTION_CONFIG_FORMAT, graph }
  return (async function* chunks() {
    yield `${JSON.stringify(head).slice(0, -1)},"base":`
    yield baseBytes
    yield ',"featureFlags":{'
    for (const [index, [name, artifact]] of flags.entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
      yield await readArtifact(stores, artifact)
    }
    yield '}'
    for (const [index, { manifest, ...rest }] of documents.entries()) {
      yield index === 0 ? ',"documents":[' : ','
      yield `${JSON.stringify(rest).slice(0, -1)},"manifest":`
      yield await stores.blobs.get(manifest)
      yield '}'
    }
    yield documents.length === 0 ? '}' : ']}'
  })()
}
