/**
 * An execution that answers several requests: the one that began it, and those that came while it was under
 * way and would be answered alike.
 *
 * It belongs to none of them. Whoever leaves, leaves alone; when the last one has left, it ends. The bytes
 * that are held for it count for one of them, and for another one when that one leaves.
 */

/** A request that waits for an answer. */
export type Member = {
  /** Told how many bytes more, or less, it holds. */
  readonly size: { received(bytes: number): void }
  /** From now on something is executed for it; `leave` is called when it waits no longer. */
  running(leave: () => void): void
}

/** What a run is of. */
export type RunOf = {
  /** The compiled composition that answers: only requests that hold the same one may join. */
  readonly generation: object
  /** The name of the operation, which is a query. */
  readonly operation: string | null
  /** How many of its fields may not be seen by those who wait for it. */
  readonly denied: number
}

/** One execution, and who waits for it. */
export class SharedRun<Waiting extends Member> {
  readonly generation: object
  readonly operation: string | null
  readonly denied: number
  /** Told how many bytes the execution holds. */
  readonly size = { received: (bytes: number): void => this.#received(bytes) }
  readonly #members = new Set<Waiting>()
  /** For whom the bytes count. */
  #holder: Waiting
  #held = 0
  #cancel: (() => void) | null = null
  readonly #onOver: () => void
  readonly #began = performance.now()
  #isOver = false

  /** `onOver`: nobody can join any more. Called once. */
  constructor(first: Waiting, { generation, operation, denied }: RunOf, onOver: () => void) {
    this.generation = generation
    this.operation = operation
    this.denied = denied
    this.#holder = first
    this.#onOver = onOver
    this.#add(first)
  }

  /** How long it has been in flight, in milliseconds. */
  get age(): number {
    return performance.now() - this.#began
  }

  /** The execution is under way; `cancel` ends it. */
  started(cancel: () => void): void {
    this.#cancel = cancel
  }

  /** Only before it is over. */
  join(member: Waiting): void {
    this.#add(member)
  }

  /** The execution is over. Gives all who wait for its answer, in the order in which they came. */
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
