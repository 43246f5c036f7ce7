import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * A secret of the settings, kept as a hash alone: it can be compared, and nothing that is printed or logged
 * holds it.
 */
export class Secret {
  readonly #hash: Buffer

  constructor(text: string) {
    this.#hash = hashOf(text)
  }

  /** Takes as long whatever is given. */
  equals(text: string): boolean {
    return timingSafeEqual(hashOf(text), this.#hash)
  }

  toJSON(): string {
    return 'not shown'
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
