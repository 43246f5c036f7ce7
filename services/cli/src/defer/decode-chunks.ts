/** Takes the compression off recorded bytes: what of the text was there when. */
import type { Transform } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib'
import { type Chunk, MAX_BYTES } from './recording.ts'

/**
 * Decodes chunks one after the other. A decoder returns all it can make of a chunk before it gets the next
 * one, so that the times of arrival stay true. Null if no probe asks for the encoding.
 */
export async function decodeChunks(
  chunks: readonly Chunk[],
  encoding: string | undefined,
): Promise<readonly Chunk[] | null> {
  const decoder = decoderFor(encoding?.trim().toLowerCase() ?? 'identity')
  if (decoder === 'none') return chunks
  if (decoder === null) return null
  const decoded: Chunk[] = []
  let pieces: Buffer[] = []
  // What was cut off in the middle ends with an error; what came before counts.
  let isBroken = false
  let goOn = () => {}
  let size = 0
  decoder.on('error', () => {
    isBroken = true
    goOn()
  })
  decoder.on('data', (piece: Buffer) => {
    size += piece.length
    pieces.push(piece)
  })
  for (const { at, bytes } of chunks) {
    if (isBroken || size > MAX_BYTES) break
    await new Promise<void>((resolve) => {
      goOn = resolve
      decoder.write(bytes, () => resolve())
    })
    await turn()
    if (pieces.length > 0) decoded.push({ at, bytes: Buffer.concat(pieces) })
    pieces = []
  }
  decoder.destroy()
  return decoded
}

function decoderFor(encoding: string): Transform | 'none' | null {
  switch (encoding) {
    case 'identity':
    case '':
      return 'none'
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return null
  }
}
