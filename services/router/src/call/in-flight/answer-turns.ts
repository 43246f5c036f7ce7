/**
 * Limits how many pieces of subgraphs' answers are taken in one turn of the event loop, of all calls
 * together. A subgraph chooses how its answer is cut, and an HTTP client may hand over ten thousand chunks of
 * one byte at once. Beyond the limit each call whose answer goes on is paused until the next turn.
 */

/** Pieces in one turn, each of which takes about a microsecond. */
export const PIECES_IN_TURN = 4000

/** A call whose answer is being received. */
export interface WaitingCall {
  /** Stops reading the answer until `goOn` is called. */
  waitForTurn(): void
  goOn(): void
}

/** Counts pieces of answers, and lets calls wait for the next turn. */
export class AnswerTurns {
  readonly #schedule: (next: () => void) => void
  readonly #waiting = new Set<WaitingCall>()
  #taken = 0

  /** `schedule` calls its argument after everything that has arrived was read. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Counts a piece of the answer of this call, which may have to wait for the rest. */
  taken(call: WaitingCall): void {
    if (this.#taken === 0) this.#schedule(this.#next)
    if (++this.#taken <= PIECES_IN_TURN || this.#waiting.has(call)) return
    this.#waiting.add(call)
    call.waitForTurn()
  }

  readonly #next = (): void => {
    this.#taken = 0
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const call of waiting) call.goOn()
  }
}
