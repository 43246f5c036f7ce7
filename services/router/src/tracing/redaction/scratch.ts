/** The bytes of one text at a time, in memory that is used again. */
const KEPT = 1 << 16

export class Scratch {
  bytes = Buffer.alloc(KEPT)

  /** How many there are. Behind them is room for one more. */
  write(text: string): number {
    const needed = text.length * 3 + 1
    if (needed > this.bytes.length || this.bytes.length > Math.max(KEPT, needed * 4))
      this.bytes = Buffer.alloc(Math.max(KEPT, needed))
    return this.bytes.write(text)
  }
}
