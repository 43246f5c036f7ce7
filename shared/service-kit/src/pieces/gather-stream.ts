/** Streams of HTTP/2 whose data comes in pieces of a reasonable size, however it was cut into frames. */
import type { Readable } from 'node:stream'
import { GatheredPieces, TooManyPiecesError } from './gathered-pieces.ts'
import type { PacedConnection } from './reading-turns.ts'

/**
 * Gathers what node:http2 has put into the stream, and puts into it from now on. `onTooMany` is called once
 * if it comes in too many pieces; nothing more is put into the stream then.
 */
export function gatherStream(
  stream: Readable,
  pace: Pick<PacedConnection, 'piecesRead'> | null,
  onTooMany: (error: TooManyPiecesError) => void,
): void {
  let gathered: GatheredPieces | null = null
  let wantsMore = true
  let isOver = false
  // oxlint-disable-next-line typescript/unbound-method -- called with the stream
  const { push } = stream
  const begin = (): GatheredPieces =>
    new GatheredPieces((bytes) => {
      wantsMore = push.call(stream, bytes)
    })
  const check = (pieces: GatheredPieces): void => {
    if (!pieces.areTooMany) return
    isOver = true
    gathered = null
    onTooMany(new TooManyPiecesError())
  }
  stream.push = (piece: unknown): boolean => {
    if (!(piece instanceof Buffer)) {
      if (!isOver) gathered?.flush()
      return push.call(stream, piece)
    }
    pace?.piecesRead(1)
    if (isOver) return true
    gathered ??= begin()
    wantsMore = true
    gathered.add(piece)
    check(gathered)
    return wantsMore
  }
  const early = bufferedPieces(stream)
  if (early <= 1) return
  pace?.piecesRead(early)
  gathered = begin()
  gathered.cameBefore(early, stream.readableLength)
  // All of it comes as one piece, and is read again from the beginning.
  const whole: unknown = stream.read()
  if (whole !== null) stream.unshift(whole)
  check(gathered)
}

/**
 * The pieces that are in a stream. A server of node:http2 tells of a stream after it has put all into it that
 * came with the headers.
 */
function bufferedPieces(stream: Readable): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types; cut-bodies.test.ts of the router shows that it is there
  const state = (stream as unknown as { _readableState: { buffer: unknown[]; bufferIndex?: number } })
    ._readableState
  return state.buffer.length - (state.bufferIndex ?? 0)
}
