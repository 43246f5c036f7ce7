/**
 * A reader of multipart streams that shares nothing with the writer: bytes go in as they come, and a part
 * comes out when the boundary behind it is there.
 */
export type Part = { readonly text: string; readonly type: string }

const BOUNDARY = '\r\n--graphql'

export class PartReader {
  #seen: Buffer = Buffer.alloc(0)
  /** Up to here there is no boundary after the one it begins with. */
  #searched = 0
  #isOver = false

  /** The parts that these bytes complete. */
  read(bytes: Buffer): Part[] {
    this.#seen = Buffer.concat([this.#seen, bytes])
    const parts: Part[] = []
    for (let part = this.#next(); part !== null; part = this.#next()) parts.push(part)
    return parts
  }

  /** The closing boundary was read, and nothing after it. */
  get isOver(): boolean {
    if (this.#seen.toString() === '--graphql--\r\n') this.#isOver = true
    return this.#isOver
  }

  #next(): Part | null {
    const start = Buffer.from('--graphql\r\n')
    if (!this.#seen.subarray(0, start.length).equals(start)) return null
    const end = this.#seen.indexOf(BOUNDARY, Math.max(start.length, this.#searched))
    this.#searched = end < 0 ? this.#seen.length - BOUNDARY.length : 0
    if (end < 0) return null
    const part = this.#seen.subarray(start.length, end)
    const blank = part.indexOf('\r\n\r\n')
    this.#seen = this.#seen.subarray(end + 2)
    const [name, type = ''] = part.subarray(0, blank).toString().split(': ')
    if (name !== 'Content-Type') throw new Error(`A part has the headers ${part.toString()}`)
    return { type, text: part.subarray(blank + 4).toString() }
  }
}

/** All parts of a stream that must be complete. */
export function readParts(chunks: readonly Buffer[]): Part[] {
  const reader = new PartReader()
  const parts = chunks.flatMap((chunk) => reader.read(chunk))
  if (!reader.isOver) throw new Error('The stream has no end.')
  return parts
}
