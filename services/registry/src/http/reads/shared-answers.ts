/** Answers that cost much and that several people ask for: made once while they are asked for, and kept. */

const MOST_KEPT = 8
/** Bytes of an answer that is kept. */
const MOST_BYTES = 1024 * 1024

export class SharedAnswers {
  /** Answers that are kept or being made. The one that was asked for last stands last. */
  readonly #answers = new Map<string, Promise<Uint8Array>>()

  /** Returns the answer to a question. Equal questions have equal keys. Nothing is kept of a failure. */
  async of(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const answer = this.#answers.get(key) ?? make()
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_KEPT) break
      this.#answers.delete(oldest)
    }
    try {
      const bytes = await answer
      if (bytes.length > MOST_BYTES) this.#forget(key, answer)
      return bytes
    } catch (error) {
      this.#forget(key, answer)
      throw error
    }
  }

  #forget(key: string, answer: Promise<Uint8Array>): void {
    if (this.#answers.get(key) === answer) this.#answers.delete(key)
  }
}
