/** The cuts of a message: a dimension that limits on bytes do not see. */

/** A run of `count` pieces, each of `size` bytes. */
export type Run = {
  readonly size: number
  readonly count: number
  /** True if each piece leaves in a packet of its own. */
  readonly isApart: boolean
}

/** A message and how it is cut. */
export type Cut = {
  /** The entrance through which the message comes. */
  readonly entrance: string
  /** Connections on which it comes at the same time. */
  readonly connections: number
  /** Bytes that mean nothing, such as spaces in JSON, behind what the message says. */
  readonly fill: number
  readonly runs: readonly Run[]
}

export type Piece = { readonly bytes: Buffer; readonly isApart: boolean }

/** Limits of one cut, so that the hunter has time for many. */
const MOST_PIECES = 60_000
const MOST_APART = 1000
export const MOST_FILL = 200_000
export const MOST_CONNECTIONS = 8

/** Cuts bytes into pieces as the runs say. The bytes that they leave over form one last piece. */
export function piecesOf(bytes: Buffer, runs: readonly Run[]): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let apart = 0
  for (const { size, count, isApart } of runs)
    for (let number = 0; number < count && at < bytes.length && pieces.length < MOST_PIECES; number++) {
      const isAlone = isApart && apart++ < MOST_APART
      pieces.push({ bytes: bytes.subarray(at, at + size), isApart: isAlone })
      at += size
    }
  if (at < bytes.length) pieces.push({ bytes: bytes.subarray(at), isApart: false })
  return pieces
}

/** The bytes that leave at once, each made of the pieces that do not leave alone. */
export function packetsOf(pieces: readonly Piece[], wrapped: (bytes: Buffer) => Buffer): readonly Buffer[] {
  const packets: Buffer[] = []
  let together: Buffer[] = []
  for (const { bytes, isApart } of pieces) {
    if (!isApart) together.push(wrapped(bytes))
    else {
      if (together.length > 0) packets.push(Buffer.concat(together))
      together = []
      packets.push(wrapped(bytes))
    }
  }
  if (together.length > 0) packets.push(Buffer.concat(together))
  return packets
}

/** One chunk of HTTP/1.1; the end of a body has `LAST_CHUNK`. */
export function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const LAST_CHUNK = Buffer.from('0\r\n\r\n')
