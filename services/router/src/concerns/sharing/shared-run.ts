/**
 * An execution that answers several requests: the one that began it, and those that came while it was under
 * way and would be answered alike.
 *
 * The execution belongs to none of them. A request that leaves does so alone; when the last one has left, the
 * execution ends. The bytes that are held for it count for one of the requests, and for another one when that
 * one leaves.
 */

import type { CountedOperation } from '../../observe/request-summary.ts'

/** A request that waits for an answer. */
export type Member = {
  /** Is told how many bytes more, or less, the request holds. */
  readonly size: { received(bytes: number): void }
  /**
   * Is told that something is executed for the request from now on. The request has to call `leave` when it
   * waits no longer.
   */
  running(leave: () => void): void
}

/** The generation and operation that are executed. */
export type RunOf = {
  /** The compiled composition that answers. Only requests that hold the same one may join. */
  readonly generation: object
  /** The name of the operation, which is a query. */
  readonly operation: string | null
  /** The operation itself; null if nobody counts it. */
  readonly executed: CountedOperation | null
  /** The number of its fields that are denied to the requests that wait for it. */
  readonly denied: number
}

/** One execution, and the requests that wait for it. */
export class SharedRun<Waiting extends Member> {
  readonly generation: object
  readonly operation: string | null
  readonly executed: CountedOperation | null
  readonly denied: number
  /** Is told how many bytes more, or less, the execution holds. */
  readonly size = { received: (bytes: number): void => this.#received(bytes) }
  readonly #members = new Set<Waiting>()
  /** The request that the bytes count for. */
  #holder: Waiting
  #held = 0
  #cancel: (() => void) | null = null
  readonly #onOver: () => void
  readonly #began = performance.now()
  #isOver = false

  /** `onOver` is called once, when nobody can join any more. */
  constructor(first: Waiting, { generation, operation, executed, denied }: RunOf, onOver: () => void) {
    this.generation = generation
    this.operation = operation
    this.executed = executed
    this.denied = denied
    this.#holder = first
    this.#onOver = onOver
    this.#add(first)
  }

  /** Milliseconds since the execution began. */
  get age(): number {
    return performance.now() - this.#began
  }

  /** Notes that the execution is under way. `cancel` ends it. */
  started(cancel: () => void): void {
    this.#cancel = cancel
  }

  /** Lets a request wait for the answer. May only be called before the execution is over. */
  join(member: Waiting): void {
    this.#add(member)
  }

  /** Ends the execution. Returns all requests that wait for its answer, in the order in which they came. */
  end(): readonly Waiting[] {
    this.#over()
    return [...this.#members]
  }

  #add(member: Waiting): void {
    this.#members.add(member)
    member.running(() => this.#leave(member))
  }

  #leave(member: Waiting): void {
    if (!this.#members.delete(member)) return
    const [next] = this.#members
    if (next === undefined) {
      const cancel = this.#cancel
      this.#over()
      return cancel?.()
    }
    if (member !== this.#holder) return
    this.#holder = next
    next.size.received(this.#held)
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancel = null
    this.#onOver()
  }

  #received(bytes: number): void {
    this.#held += bytes
    this.#holder.size.received(bytes)
  }
}
