/**
 * Limits the bytes of subgraphs' answers that have arrived and are not yet read as a whole, of all calls
 * together. Beyond the limit nothing more is read from the connections of large answers until others have
 * ended; their subgraphs wait to send the rest. Small answers go on, and so does, for each subgraph, the
 * large one that began first. So calls cannot wait for each other for ever, and a subgraph that sends slowly
 * cannot hold up the answers of others.
 */

/** A call whose answer is being received. */
export interface ReceivingCall {
  /** The name of the subgraph that sends the answer. */
  readonly subgraph: string
  /** Stops reading the answer from its connection; what has arrived stays. */
  pause(): void
  /** Reads on. */
  resume(): void
}

/**
 * Bytes up to which an answer is not counted. The connections limit how many small answers there are at a
 * time.
 */
export const SMALL_ANSWER = 64 * 1024

/** Lets large answers wait while too much is being received. */
export class AnswerIntake {
  readonly #limit: number
  readonly #held = new Map<ReceivingCall, number>()
  /** Calls with a counted answer, in the order in which it began to count. */
  readonly #bySubgraph = new Map<string, Set<ReceivingCall>>()
  readonly #paused = new Set<ReceivingCall>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Calls of which nothing is read at the moment. */
  get paused(): number {
    return this.#paused.size
  }

  /**
   * Notes that so many bytes of the answer have arrived by now, more than `SMALL_ANSWER`. May pause the call.
   */
  received(call: ReceivingCall, bytes: number): void {
    this.#bytes += bytes - (this.#held.get(call) ?? 0)
    this.#held.set(call, bytes)
    const calls = this.#bySubgraph.get(call.subgraph) ?? new Set()
    this.#bySubgraph.set(call.subgraph, calls.add(call))
    if (this.#bytes <= this.#limit || firstOf(calls) === call) return
    this.#paused.add(call)
    call.pause()
  }

  /** Notes that an answer is read, or that its call failed. Does nothing for a call that was not counted. */
  ended(call: ReceivingCall): void {
    const held = this.#held.get(call)
    const calls = this.#bySubgraph.get(call.subgraph)
    if (held === undefined || calls === undefined) return
    this.#held.delete(call)
    this.#paused.delete(call)
    this.#bytes -= held
    calls.delete(call)
    const next = firstOf(calls)
    if (next === undefined) this.#bySubgraph.delete(call.subgraph)
    else if (this.#paused.delete(next)) next.resume()
    if (this.#bytes <= this.#limit) this.#resumeAll()
  }

  #resumeAll(): void {
    const paused = [...this.#paused]
    this.#paused.clear()
    for (const call of paused) call.resume()
  }
}

function firstOf(calls: ReadonlySet<ReceivingCall>): ReceivingCall | undefined {
  for (const call of calls) return call
  return undefined
}
