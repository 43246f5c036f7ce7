/**
 * Creates Node.js's compressors, with levels at which the last percent of size does not cost most of the
 * time: for 64 KiB of an answer zstd takes 0.08 ms and makes 8 % of it, Brotli 0.27 ms and 8 %, gzip 0.20 ms
 * and 12 %. They work in the threads of libuv's pool.
 */
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { ContentCoding } from '../../settings/content-codings.ts'

const GZIP_LEVEL = 4
const BROTLI_QUALITY = 4
const ZSTD_LEVEL = 3

const COMPRESSORS: Readonly<Record<ContentCoding, (bytes: number) => Transform>> = {
  gzip: () => createGzip({ level: GZIP_LEVEL }),
  br: (bytes) =>
    createBrotliCompress({
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    }),
  zstd: (bytes) =>
    createZstdCompress({
      pledgedSrcSize: bytes,
      params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
    }),
}

/** Creates a compressor for an answer in one piece, which has so many bytes. */
export function createCompressor(coding: ContentCoding, bytes: number): Transform {
  return COMPRESSORS[coding](bytes)
}

/**
 * Creates a compressor for an answer in parts: the bytes of one part come out before anything else is
 * written. It takes 300 KiB of memory.
 */
export function createPartCompressor(): Transform {
  return createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH })
}
