/** Reads the facts about the composition of a flag from which its costs are estimated. */
import { Artifact, type ArtifactReference, type FlagCost } from '@switchyard/contracts'
import {
  chunksOf,
  InvalidPieceListError,
  type PieceList,
  parsePieceList,
} from '@switchyard/contracts/artifact-pieces'
import { splitSchema } from '@switchyard/engine'
import { type ArtifactStores, type BlobStore, readArtifact, StorageError } from '@switchyard/event-log'
import type { RevisionHistory } from '../reading/revision-history.ts'
import { type CompositionFacts, estimateFlagCost, MOST_PATCHED_BYTES } from './flag-cost-estimate.ts'

/**
 * Bytes of a composition that is read as a whole. Reading and cutting more of them would hold up all other
 * requests; larger compositions are in pieces wherever these can be stored.
 */
const MOST_WHOLE_BYTES = 2 * 1024 * 1024
/** Chunks that are read at a time. */
const READ_AT_A_TIME = 16

export type FlagCostParts = ArtifactStores & { readonly revisions: Pick<RevisionHistory, 'newest'> }

type CreatedRollout = { readonly graph: string; readonly flag: string }

/** Returns the costs that the outcome of creating a rollout tells. */
export async function costsOfRollout(
  parts: FlagCostParts,
  namespace: string,
  rollout: CreatedRollout,
): Promise<{ readonly flagCosts: FlagCost[] }> {
  const { graph, flag: featureFlag } = rollout
  return { flagCosts: [{ graph, featureFlag, estimate: await estimateOf(parts, namespace, rollout) }] }
}

async function estimateOf(
  { revisions, blobs, pieces }: FlagCostParts,
  namespace: string,
  { graph, flag }: CreatedRollout,
): Promise<FlagCost['estimate']> {
  const config = revisions.newest({ namespace, graph })
  const own = config?.featureFlags[flag]
  if (config === null || config.base === null || own === undefined) return null
  try {
    const facts = await factsOf({ blobs, pieces }, own, config.base)
    return facts === null ? null : estimateFlagCost(facts)
  } catch (error) {
    // An estimate is not worth a command that fails.
    if (error instanceof StorageError || error instanceof InvalidPieceListError) return null
    throw error
  }
}

/**
 * Counts what base does not have. Small compositions are stored as a whole only, and are read as such.
 * Returns null if one of them is no artifact, or is large and not in pieces.
 */
async function factsOf(
  stores: ArtifactStores,
  own: ArtifactReference,
  base: ArtifactReference,
): Promise<CompositionFacts | null> {
  const { pieces } = stores
  if (own.pieces === undefined || base.pieces === undefined) {
    const [text, baseText] = [await textOf(stores, own), await textOf(stores, base)]
    if (text === null || baseText === null) return null
    const bytes = Buffer.byteLength(text)
    return { bytes, readBytes: bytes, ...changesOf(splitSchema(text), splitSchema(baseText)) }
  }
  const list = parsePieceList(await pieces.get(own.pieces))
  const baseList = parsePieceList(await pieces.get(base.pieces))
  const bytes = list.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  if (bytes > MOST_PATCHED_BYTES)
    return { bytes, readBytes: bytes, changedDefinitions: null, changedBytes: bytes }
  const [definitions, baseDefinitions] = [
    await definitionsBeside(pieces, list, baseList),
    await definitionsBeside(pieces, baseList, list),
  ]
  return { bytes, readBytes: bytesIn(definitions), ...changesOf(definitions, baseDefinitions) }
}

function changesOf(own: readonly string[], base: readonly string[]) {
  const known = new Set(base)
  const changed = own.filter((definition) => !known.has(definition))
  return { changedDefinitions: changed.length, changedBytes: bytesIn(changed) }
}

function bytesIn(definitions: readonly string[]): number {
  return definitions.reduce((sum, definition) => sum + Buffer.byteLength(definition), 0)
}

async function textOf(stores: ArtifactStores, reference: ArtifactReference): Promise<string | null> {
  const bytes = await readArtifact(stores, reference)
  if (bytes.byteLength > MOST_WHOLE_BYTES) return null
  const parsed = Artifact.safeParse(jsonOf(Buffer.from(bytes).toString('utf8')))
  return parsed.success ? parsed.data.supergraphSdl : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the chunks that the other composition does not have, and cuts them into definitions. */
async function definitionsBeside(pieces: BlobStore, list: PieceList, other: PieceList): Promise<string[]> {
  const others = chunksOf(other)
  const own = [...chunksOf(list)].filter((sha256) => !others.has(sha256))
  const definitions: string[] = []
  for (let at = 0; at < own.length; at += READ_AT_A_TIME) {
    const read = await Promise.all(own.slice(at, at + READ_AT_A_TIME).map((sha256) => pieces.get(sha256)))
    for (const text of read) definitions.push(...splitSchema(Buffer.from(text).toString('utf8')))
  }
  return definitions
}
