/**
 * The messages of one connection that have arrived and are not read yet, in their order. Usually there are
 * none: a message is read at once. While some wait, nothing more is taken from the connection, so that the
 * subgraph waits. Then the queue holds no more than what was taken from the socket before: 64 KiB, and one
 * message of the size that is allowed.
 */
import type { EventTurns, WaitingReader } from './event-turns.ts'

/** The work for a message besides its bytes, in bytes of JSON. */
const WORK_PER_MESSAGE = 256

/** The work for a piece besides its bytes: the subgraph may send one byte in each. */
const WORK_PER_PIECE = 64

export type MessageQueueOptions<Message> = {
  readonly turns: EventTurns
  /** Returns the bytes of a message. */
  readonly sizeOf: (message: Message) => number
  /** Reads a message. Resolves when it is read, or returns undefined if it is read at once. */
  readonly read: (message: Message) => Promise<void> | undefined
  /** Takes no more from the connection until `resume` is called. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Reads the messages of one connection in turns. */
export class MessageQueue<Message> implements WaitingReader, Disposable {
  readonly #options: MessageQueueOptions<Message>
  #waiting: Message[] = []
  /** The index of the next message in `#waiting`. */
  #next = 0
  #isReading = false
  #isPaused = false
  #isOver = false
  #whenRead: (() => void) | null = null

  constructor(options: MessageQueueOptions<Message>) {
    this.#options = options
  }

  /** True if nothing is taken from the connection. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  push(message: Message): void {
    if (this.#isOver || this.#whenRead !== null) return
    const { turns, pause } = this.#options
    if (!this.#hasWork() && !turns.isTaken) return this.#read(message)
    this.#waiting.push(message)
    if (!this.#isReading) turns.wait(this)
    if (this.#isPaused) return
    this.#isPaused = true
    pause()
  }

  /**
   * Counts a piece of the connection's bytes, whatever is in it: pieces without messages are work, too. Takes
   * no more from the connection in this turn if its work is done.
   */
  arrived(bytes: number): void {
    const { turns, pause } = this.#options
    turns.did(bytes + WORK_PER_PIECE)
    if (!turns.isDone || this.#isPaused || this.#isOver) return
    this.#isPaused = true
    pause()
    turns.wait(this)
  }

  /** Takes no further messages, and calls `then` when those that have come are read. */
  end(then: () => void): void {
    if (this.#isOver || this.#whenRead !== null) return
    this.#whenRead = then
    if (!this.#hasWork()) this.#settle()
  }

  readNext(): boolean {
    const message = this.#waiting[this.#next]
    if (message === undefined) this.#settle()
    if (message === undefined || this.#isOver) return false
    this.#next++
    if (this.#next === this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    }
    this.#read(message)
    if (this.#isReading) return false
    this.#settle()
    return this.#waiting.length > 0
  }

  /** Forgets all messages. */
  [Symbol.dispose](): void {
    this.#isOver = true
    this.#waiting = []
    this.#options.turns.forget(this)
  }

  #hasWork(): boolean {
    return this.#isReading || this.#waiting.length > 0
  }

  #read(message: Message): void {
    const { turns, sizeOf, read, pause } = this.#options
    turns.did(sizeOf(message) + WORK_PER_MESSAGE)
    const reading = read(message)
    if (reading === undefined) return
    this.#isReading = true
    if (!this.#isPaused) pause()
    this.#isPaused = true
    void reading.then(() => {
      this.#isReading = false
      if (this.#waiting.length > 0) turns.wait(this)
      else this.#settle()
    })
  }

  /** Goes on with the connection if everything is read. */
  #settle(): void {
    if (this.#hasWork() || this.#isOver) return
    const then = this.#whenRead
    if (then !== null) {
      this.#isOver = true
      return then()
    }
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#options.resume()
  }
}
