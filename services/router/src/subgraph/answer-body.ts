/** The body of an answer of a subgraph, as it is kept until it is read. */
import { type ReadJson, readJson, readJsonText } from './read-json.ts'

/** What has arrived of a body. */
export type ReceivedBody = {
  readonly chunks: readonly Buffer[]
  /** All of it, if it arrived in one piece; then there are no chunks. */
  readonly text: string | null
  /** In bytes. */
  readonly length: number
}

/** The body of a complete answer. All who read it get the same value, so nobody may change it. */
export class AnswerBody {
  /** None if it arrived in one piece, which no large answer does. */
  readonly chunks: readonly Buffer[]
  /** In bytes. */
  readonly length: number
  /** What it cannot be read for, without a look at the bytes; null: they tell. */
  readonly problem: string | null
  readonly #text: string | null
  readonly #read: (ReadJson | null)[] = [null, null]

  constructor({ chunks, text, length }: ReceivedBody, problem: string | null) {
    this.chunks = chunks
    this.length = length
    this.problem = problem
    this.#text = text
  }

  /** Read at once, and once for all who ask: only for what is not large. */
  read(exactNumbers: boolean): ReadJson {
    return (this.#read[Number(exactNumbers)] ??= this.#readOnce(exactNumbers))
  }

  #readOnce(exactNumbers: boolean): ReadJson {
    if (this.length === 0) return { problem: 'an empty answer' }
    if (this.#text !== null) return readJsonText(this.#text, exactNumbers)
    const [only] = this.chunks
    const isOne = this.chunks.length === 1 && only !== undefined
    return readJson(isOne ? only : Buffer.concat(this.chunks, this.length), exactNumbers)
  }
}
