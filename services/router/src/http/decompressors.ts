/** Creates Node.js's decompressors for bodies. They work in the threads of libuv's pool. */
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { ContentCoding } from '../settings/content-codings.ts'

/** The window that a zstd frame may demand: 8 MiB, given by its logarithm, as RFC 8878 recommends. */
const MAX_WINDOW = 23

/** A decompressor. `bytesWritten` is the number of bytes that it has used so far. */
export type Decompressor = Transform & { readonly bytesWritten: number }

const DECOMPRESSORS: Readonly<Record<ContentCoding, () => Decompressor>> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW } }),
}

/** Creates a decompressor for one body. */
export function createDecompressor(coding: ContentCoding): Decompressor {
  return DECOMPRESSORS[coding]()
}
