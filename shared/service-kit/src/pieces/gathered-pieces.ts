/**
 * Gathers the bytes of a body as they arrive, in pieces whose size the sender chooses. Keeping a piece costs
 * some hundred bytes besides its own, so small ones are copied together: n bytes take O(n) of memory, and
 * come as O(log n) + n / 4 KiB pieces, however they were cut.
 */

/** A piece of this size is handed on as it is. Bytes. */
const LARGE = 4096
/** Each block is twice as large as the one before it, between these sizes. Bytes. */
const FIRST_BLOCK = 1024
const LARGEST_BLOCK = 16 * 1024
/** A piece may keep this much memory from being used again, as those of Node's pool of buffers do. Bytes. */
const SHARED = 16 * 1024

/**
 * Most pieces of a body: `any` pieces, and one more for each `bytesEach` bytes. The smallest packets of
 * networks are many times as large; smaller pieces come from programs that write byte by byte.
 */
export const PIECES = { any: 8192, bytesEach: 32 } as const

/** A body came in more pieces than `PIECES` allows. */
export class TooManyPiecesError extends Error {
  override readonly name = 'TooManyPiecesError'

  constructor() {
    super(
      `The body came in more than ${PIECES.any} pieces (chunks, frames or packets) that have less than ${PIECES.bytesEach} bytes on average. The rest of it was not read. Send it in larger pieces.`,
    )
  }
}

/** Gathers small pieces of one body in blocks. */
export class GatheredPieces {
  readonly #handOn: (bytes: Buffer) => void
  /** The first piece, until a second one comes: most bodies have no other. */
  #only: Buffer | null = null
  #block: Buffer | null = null
  /** Bytes of the block that are in use. */
  #used = 0
  #nextSize = FIRST_BLOCK
  #pieces = 0
  #length = 0

  /** `handOn` gets all bytes in their order, in pieces that nobody else changes. */
  constructor(handOn: (bytes: Buffer) => void) {
    this.#handOn = handOn
  }

  /** Bytes that have arrived. */
  get length(): number {
    return this.#length
  }

  /** Whether there are more pieces than `PIECES` allows for the bytes that have arrived. */
  get areTooMany(): boolean {
    return this.#pieces > PIECES.any + this.#length / PIECES.bytesEach
  }

  /** Counts pieces of these bytes in all that came before the first one. */
  cameBefore(pieces: number, length: number): void {
    this.#pieces += pieces
    this.#length += length
  }

  /** Takes the next piece, which nobody may change from now on. */
  add(piece: Buffer): void {
    this.#pieces++
    this.#length += piece.length
    if (piece.length >= LARGE) {
      this.flush()
      this.#handOn(ownBytes(piece, 2 * piece.length))
    } else if (this.#pieces === 1) this.#only = ownBytes(piece, SHARED)
    else {
      const only = this.#only
      this.#only = null
      if (only !== null) this.#copy(only)
      this.#copy(piece)
    }
  }

  /** Hands on the bytes that were kept back. The caller calls this at the end of the body. */
  flush(): void {
    const only = this.#only
    this.#only = null
    if (only !== null) this.#handOn(only)
    const block = this.#block
    if (block === null || this.#used === 0) return
    const bytes = block.subarray(0, this.#used)
    this.#used = 0
    // A block that is nearly empty goes on to be filled.
    if (bytes.length * 2 < block.length) return this.#handOn(Buffer.from(bytes))
    this.#block = null
    this.#handOn(bytes)
  }

  #copy(piece: Buffer): void {
    for (let from = 0; from < piece.length; ) {
      const block = (this.#block ??= this.#newBlock())
      const copied = piece.copy(block, this.#used, from)
      from += copied
      this.#used += copied
      if (this.#used === block.length) this.flush()
    }
  }

  #newBlock(): Buffer {
    const block = Buffer.allocUnsafeSlow(this.#nextSize)
    this.#nextSize = Math.min(2 * this.#nextSize, LARGEST_BLOCK)
    return block
  }
}

/** The piece, or a copy if the piece keeps more memory than `most` from being used again. */
function ownBytes(piece: Buffer, most: number): Buffer {
  return piece.buffer.byteLength <= most ? piece : Buffer.from(piece)
}
