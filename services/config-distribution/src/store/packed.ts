/** The form in which the config store has artifacts and pieces of them. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hashUnpacked } from '@switchyard/config-store'

export const pack = promisify(gzip)

/** True if gzipped bytes unpack to what this hash names, and to `limit` bytes at most. */
export async function isPackedForm(packed: Uint8Array, sha256: string, limit: number): Promise<boolean> {
  try {
    return (await hashUnpacked(packed, limit)) === sha256
  } catch {
    return false
  }
}
