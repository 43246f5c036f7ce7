import { setTimeout as sleep } from 'node:timers/promises'
import { BlobMissingError } from './errors.ts'

/**
 * A record names a blob that was stored before it, so a missing blob is a passing state (a lagging replica, a
 * restart in between) or a loss. Three retries tell the two apart without holding a reader up for long.
 */
const RETRY_DELAYS_MS = [50, 200, 800]

/** No larger blob is stored or read: an artifact, the largest thing that there is, has 64 MiB at most. */
export const MAX_BLOB_BYTES = 64 * 1024 * 1024

/** Bytes that are put again count as stored anew when they were stored longer ago than this. */
export const RENEWED_AFTER_MS = 60 * 60 * 1000

/** Calls `attempt` until it has bytes, at most four times. Throws BlobMissingError. */
export async function getWithRetries(
  sha256: string,
  attempt: () => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
  for (const delay of [...RETRY_DELAYS_MS, null]) {
    const bytes = await attempt()
    if (bytes !== null) return bytes
    if (delay !== null) await sleep(delay)
  }
  throw new BlobMissingError(sha256)
}
