/** The body of a subgraph's answer, kept until it is read. */
import { type ReadJson, readJson, readJsonText } from './read-json.ts'

/** The part of a body that has arrived. */
export type ReceivedBody = {
  readonly chunks: readonly Buffer[]
  /** The whole body, if it arrived in one piece; then there are no chunks. Otherwise null. */
  readonly text: string | null
  /** The size of the part in bytes. */
  readonly length: number
}

/** The body of a complete answer. All its readers get the same value, so none of them may change it. */
export class SubgraphBody {
  /** The body in pieces. There are none if it arrived in one piece, which no large answer does. */
  readonly chunks: readonly Buffer[]
  /** The size of the body in bytes. */
  readonly length: number
  /**
   * The reason why the body cannot be read, known before anybody looks at its bytes. Null if there is none.
   */
  readonly problem: string | null
  readonly #text: string | null
  readonly #read: (ReadJson | null)[] = [null, null]

  constructor({ chunks, text, length }: ReceivedBody, problem: string | null) {
    this.chunks = chunks
    this.length = length
    this.problem = problem
    this.#text = text
  }

  /**
   * Parses the body, once for all its readers. It does not yield to the event loop, so it is only for small
   * bodies.
   */
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
