/** Lets the answers of subgraphs come in any order, and the reader of a stream be slow. */
import type { IncrementalExecution, SubgraphReply } from '../../../src/index.ts'

/** What decides: the same choices give the same order. */
export type Choices = { below(limit: number): number }

/** Holds every answer until nothing that was asked is left without one, and then gives any of them. */
export class AnswerOrder {
  readonly #choices: Choices | null
  readonly #ready: (() => void)[] = []
  #execution: IncrementalExecution | null = null
  #unanswered = 0

  /** Null: each comes as soon as it is there. */
  constructor(choices: Choices | null) {
    this.#choices = choices
  }

  /** The reader pauses this one now and then. */
  open(execution: IncrementalExecution): void {
    this.#execution = execution
  }

  async ask(reply: Promise<SubgraphReply>, done: (reply: SubgraphReply) => void): Promise<void> {
    this.#unanswered++
    const answer = await reply
    this.#unanswered--
    if (this.#choices === null) return done(answer)
    this.#ready.push(() => done(answer))
    this.#give(this.#choices)
  }

  #give(choices: Choices): void {
    while (this.#unanswered === 0 && this.#ready.length > 0) {
      if (choices.below(3) === 0) this.#execution?.pause()
      if (choices.below(3) === 0) this.#execution?.resume()
      if (this.#unanswered > 0) return
      const [next] = this.#ready.splice(choices.below(this.#ready.length), 1)
      next?.()
    }
    // Whoever stops reading goes on in the end: only then is the rest asked for.
    if (this.#unanswered === 0) this.#execution?.resume()
  }
}
