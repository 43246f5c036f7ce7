/**
 * Takes a multipart body apart (https://www.rfc-editor.org/rfc/rfc2046#section-5.1). Bytes may be cut
 * anywhere. A part is told when the boundary after it has come.
 */

/** Receives what a multipart body has. */
export interface PartSink {
  /** The body of a part, without its headers. It is overwritten afterwards. */
  part(body: Buffer): void
  /** The last boundary has come. */
  closed(): void
  /** A part is larger than allowed. The parser reads no further. */
  tooLarge(): void
}

/** Bytes beside the body of a part: its headers and boundaries. */
const AROUND_PART = 16 * 1024
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const DASHES = '--'

/** Reads one multipart body. */
export class MultipartParser {
  readonly #sink: PartSink
  readonly #delimiter: Buffer
  readonly #limit: number
  /** Begins with the line end that the first boundary may lack. */
  #buffer = Buffer.from('\n')
  #length = 1
  /** Up to here there is no boundary. */
  #searched = 0
  /** True if the bytes follow a boundary, and not what may stand before the first one. */
  #isInPart = false
  #isOver = false

  /** `limit` is the number of bytes that the body of a part may have. */
  constructor(sink: PartSink, boundary: string, limit: number) {
    this.#sink = sink
    this.#delimiter = Buffer.from(`\n--${boundary}`)
    this.#limit = limit + AROUND_PART
  }

  read(piece: Buffer): void {
    if (this.#isOver) return
    this.#append(piece)
    let begin = 0
    for (;;) {
      if (this.#isInPart && this.#isClosedAt(begin)) return this.#close()
      const end = this.#bytes().indexOf(this.#delimiter, this.#searched)
      if (end < 0) break
      if (end - begin > this.#limit) return this.#refuse()
      if (this.#isInPart) this.#endPart(this.#buffer.subarray(begin, end))
      this.#isInPart = true
      begin = end + this.#delimiter.length
      this.#searched = begin
    }
    if (begin > 0) this.#dropBefore(begin)
    if (this.#length > this.#limit) return this.#refuse()
    this.#searched = Math.max(0, this.#length - this.#delimiter.length)
  }

  #endPart(part: Buffer): void {
    const end = part.at(-1) === CARRIAGE_RETURN ? part.length - 1 : part.length
    const begin = afterBlankLine(part)
    if (begin !== null) this.#sink.part(part.subarray(Math.min(begin, end), end))
  }

  /** Whether dashes follow the boundary before this place, which make it the last one. */
  #isClosedAt(begin: number): boolean {
    return this.#bytes().toString('latin1', begin, begin + DASHES.length) === DASHES
  }

  #close(): void {
    this.#isOver = true
    this.#sink.closed()
  }

  #refuse(): void {
    this.#isOver = true
    this.#sink.tooLarge()
  }

  #bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(4096, length * 2))
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    piece.copy(this.#buffer, this.#length)
    this.#length = length
  }

  #dropBefore(begin: number): void {
    this.#buffer.copyWithin(0, begin, this.#length)
    this.#length -= begin
  }
}

/** Returns where the body of a part begins. Null if its headers do not end. */
function afterBlankLine(part: Buffer): number | null {
  for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) {
    const next = part[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1
    if (part[next] === LINE_FEED) return next + 1
  }
  return null
}
