/** Removes pieces from the config store that no list of recent revisions names. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { MAX_PIECE_LIST_BYTES } from '@switchyard/contracts'
import { parsePieceList, type PieceList } from '@switchyard/contracts/artifact-pieces'
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import type { BlobStore } from '@switchyard/event-log'
import { UNUSED_FOR_MS } from './artifact-sweep.ts'
import { piecesOf, type Revision } from '../log/config-log.ts'
import { PieceReader } from './piece-reader.ts'

const unpack = promisify(gunzip)

/** Lists that are read at a time: somebody else may have put 64 MiB in the place of each. */
const READ_AT_A_TIME = 4

export type PieceSweepOptions = {
  readonly graph: GraphName
  readonly pieces: Pick<BlobStore, 'get' | 'has'>
  readonly store: Pick<ConfigStore, 'deletePiece' | 'getPiece' | 'listPieces'>
  /** The revisions whose pieces are kept; the last of them is what is served. */
  readonly revisions: () => Promise<readonly Revision[]>
  /** Unix milliseconds. */
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Returns how many pieces were removed. Rejects when a list cannot be read: nobody knows then what it names,
 * and nothing is removed.
 */
export async function sweepPieces(options: PieceSweepOptions): Promise<number> {
  const { graph, store, revisions, now, signal } = options
  const old = (await store.listPieces(graph)).filter(({ storedAt }) => now - storedAt > UNUSED_FOR_MS)
  const unused = new Map(old.map(({ sha256, storedAt }) => [sha256, storedAt]))
  if (unused.size === 0) return 0
  const lists = new Set(
    (await revisions()).flatMap(({ manifest }) => piecesOf(manifest)).map(({ pieces }) => pieces),
  )
  const reader = new PieceReader(options.pieces, signal)
  const keep = async (sha256: string): Promise<void> => {
    unused.delete(sha256)
    const { chunks } = (await storedList(options, sha256)) ?? (await reader.list(sha256))
    for (const chunk of chunks) unused.delete(chunk.sha256)
  }
  const all = [...lists]
  for (let from = 0; from < all.length && !signal.aborted; from += READ_AT_A_TIME)
    await Promise.all(all.slice(from, from + READ_AT_A_TIME).map(keep))
  for (const [sha256, storedAt] of unused) {
    if (signal.aborted) return 0
    // Whoever needs it meanwhile has renewed it.
    await store.deletePiece(graph, sha256, storedAt + 1)
  }
  return unused.size
}

/** The list as the config store has it; null where it is missing or damaged. */
async function storedList({ graph, store }: PieceSweepOptions, sha256: string): Promise<PieceList | null> {
  const packed = await store.getPiece(graph, sha256)
  if (packed === null) return null
  try {
    const bytes = await unpack(packed, { maxOutputLength: MAX_PIECE_LIST_BYTES })
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? parsePieceList(bytes) : null
  } catch {
    return null
  }
}
