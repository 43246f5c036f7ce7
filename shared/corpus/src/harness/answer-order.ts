/** Lets the answers of subgraphs come in any order, and the reader of a stream be slow. */
import type { IncrementalExecution, SubgraphReply } from '@switchyard/engine'

/** A source of decisions. The same choices give the same order. */
export type Choices = { below(limit: number): number }

/** Holds every answer until nothing that was asked is left without one, and then gives any of them. */
export class AnswerOrder {
  readonly #choices: Choices | null
  readonly #slow: string | null
  readonly #ready: (() => void)[] = []
  readonly #late: (() => void)[] = []
  #execution: IncrementalExecution | null = null
  #unanswered = 0
  #isFirstPartThere = false
  #isAwaited = false

  /**
   * `choices` null: each comes as soon as it is there. Those of the slow subgraph come after the first part,
   * or when nothing else is left that could lead to it.
   */
  constructor(choices: Choices | null, slow: string | null = null) {
    this.#choices = choices
    this.#slow = slow
  }

  /** True if the first part came only after an answer of the slow subgraph. */
  get isAwaited(): boolean {
    return this.#isAwaited
  }

  firstPart(): void {
    this.#isFirstPartThere = true
    for (const give of this.#late.splice(0)) give()
  }

  /** Sets the execution that the reader pauses now and then. */
  open(execution: IncrementalExecution): void {
    this.#execution = execution
  }

  async ask(
    reply: Promise<SubgraphReply>,
    done: (reply: SubgraphReply) => void,
    subgraph: string,
  ): Promise<void> {
    this.#unanswered++
    const answer = await reply
    this.#unanswered--
    const give = () => {
      if (this.#choices === null) return done(answer)
      this.#ready.push(() => done(answer))
      this.#give(this.#choices)
    }
    if (subgraph === this.#slow && !this.#isFirstPartThere) this.#late.push(give)
    else give()
    // What the answer leads to is asked by then.
    if (this.#late.length > 0) setImmediate(() => this.#giveUpWaiting())
  }

  #giveUpWaiting(): void {
    if (this.#isFirstPartThere || this.#unanswered > 0 || this.#ready.length > 0) return
    const late = this.#late.splice(0)
    this.#isAwaited ||= late.length > 0
    for (const give of late) give()
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
