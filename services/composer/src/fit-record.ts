/**
 * Keeps a record within the size limit of the log. A graph with many broken flags may have more messages than
 * fit: errors then move to blobs and hints are cut. A graph with some 800 flags names more compositions than
 * fit: those of flags are then stored as a whole, if they are not, and named as such only. Statuses and
 * artifacts always stay.
 */
import { isFirstPending, MAX_RECORD_BYTES } from '@switchyard/contracts'
import type { CompositionRecord, RecordedResult, VariantEntry } from '@switchyard/contracts'
import { type ArtifactStores, type BlobStore, readArtifact } from '@switchyard/event-log'
import { bytesOf } from './lanes/inline-messages.ts'

type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>

/** Leaves room for what the log adds around a record. */
const LIMIT = MAX_RECORD_BYTES - 1024
const INLINE_STEPS: readonly number[] = [5, 1, 0]

export async function fitRecord(record: Completed, stores: ArtifactStores): Promise<Completed> {
  const { blobs } = stores
  let fitted = record
  for (const count of INLINE_STEPS) {
    if (fitsLog(fitted)) return fitted
    const shortenedResult = (result: RecordedResult) => shortened(result, count, blobs)
    fitted = await withResults({ ...fitted, base: await shortenedResult(fitted.base) }, shortenedResult)
  }
  return fitsLog(fitted) ? fitted : await withoutPiecesOfFlags(fitted, stores)
}

async function withoutPiecesOfFlags(record: Completed, stores: ArtifactStores): Promise<Completed> {
  return withResults(record, async (result) => {
    const hasPieces = (result.status === 'composed' || result.status === 'reused') && 'pieces' in result
    return hasPieces ? asWhole(result, stores) : result
  })
}

/**
 * Replaces the results of flags and of previews. One after the other, since the artifact of each may have 64
 * MiB.
 */
async function withResults(
  { previews, ...record }: Completed,
  replaced: (result: RecordedResult) => Promise<RecordedResult>,
): Promise<Completed> {
  const all = async <Entry extends VariantEntry>(entries: readonly Entry[]): Promise<Entry[]> => {
    const done: Entry[] = []
    for (const entry of entries) done.push({ ...entry, result: await replaced(entry.result) })
    return done
  }
  const featureFlags = await all(record.featureFlags)
  return { ...record, featureFlags, ...(previews === undefined ? {} : { previews: await all(previews) }) }
}

async function asWhole(
  { pieces, ...whole }: Extract<RecordedResult, { status: 'composed' | 'reused' }>,
  stores: ArtifactStores,
): Promise<RecordedResult> {
  const { artifact } = whole
  const isStored = await stores.blobs.has(artifact)
  if (!isStored && pieces !== undefined)
    await stores.blobs.put(await readArtifact(stores, { artifact, pieces }))
  return whole
}

/** Whether the log takes the record. */
export function fitsLog(record: CompositionRecord): boolean {
  return Buffer.byteLength(JSON.stringify(record)) <= LIMIT
}

async function shortened(result: RecordedResult, count: number, blobs: BlobStore): Promise<RecordedResult> {
  // The code of a flag that is being composed is what readers know it by.
  if (result.status === 'empty' || isFirstPending(result)) return result
  const hints = result.hints.slice(0, count)
  if (result.status !== 'failed') return { ...result, hints }
  if (result.errors.length <= count) return { ...result, hints }
  const errorsBlob = result.errorsBlob ?? (await blobs.put(bytesOf(result.errors)))
  return { ...result, hints, errors: result.errors.slice(0, count), errorsBlob }
}
