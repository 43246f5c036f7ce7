/** The body of an answer that is no event stream, as far as it may hold GraphQL errors. */
import { isJsonObject } from '@switchyard/engine'
import { readSmall } from '../reading/read-message.ts'

/** Bytes that are read to find GraphQL errors in them. */
const MAX_REFUSAL = 64 * 1024

/** The GraphQL errors of an answer, and the size of its body. */
export type RefusalErrors = { readonly errors: readonly unknown[]; readonly bytes: number }

/** Collects the body. */
export class Refusal {
  #chunks: Buffer[] = []
  #size = 0

  /** Adds a piece. Returns false if the body is larger than is read. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size <= MAX_REFUSAL) this.#chunks.push(chunk)
    else this.#chunks = []
    return this.#size <= MAX_REFUSAL
  }

  /** Returns the GraphQL errors in the body. Null if there are none. */
  errors(): RefusalErrors | null {
    const body = readSmall(Buffer.concat(this.#chunks), () => true)
    if (!isJsonObject(body)) return null
    const { errors } = body
    return Array.isArray(errors) && errors.length > 0 ? { errors, bytes: this.#size } : null
  }
}
