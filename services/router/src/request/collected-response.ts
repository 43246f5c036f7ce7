/** Takes the answer to a request that came as a part of something larger, until all of it is there. */
import type { ClientResponse } from '../http/client-response.ts'

/** Hears of an answer that is collected. */
export type AnswerReceiver = {
  /** So many more bytes are kept. */
  bytesKept(bytes: number): void
  /** The answer is there, or will never be. Called once. */
  answered(): void
}

/** Keeps the body. Its headers are dropped: there is no place for them. */
export class CollectedResponse implements ClientResponse {
  statusCode = 200
  readonly errored = null
  readonly #receiver: AnswerReceiver
  /** Null as long as there are none. */
  #pieces: Uint8Array[] | null = null
  #onClose: readonly (() => void)[] = []
  #hasHead = false
  #isAnswered = false
  #isClosed = false

  constructor(receiver: AnswerReceiver) {
    this.#receiver = receiver
  }

  /** The body; none if it was never answered. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces ?? []
  }

  /** Whether all of the answer is there. False until then, and if it was dropped. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** It has no connection of its own that could be kept. */
  get shouldKeepAlive(): boolean {
    return true
  }

  set shouldKeepAlive(_isKept) {}

  get headersSent(): boolean {
    return this.#hasHead
  }

  get writableEnded(): boolean {
    return this.#isAnswered
  }

  get writableFinished(): boolean {
    return this.#isAnswered
  }

  get destroyed(): boolean {
    return this.#isClosed && !this.#isAnswered
  }

  writeContinue(): void {}

  flushHeaders(): void {}

  writeHead(status: number): this {
    this.#hasHead = true
    this.statusCode = status
    return this
  }

  write(chunk?: string | Uint8Array): boolean {
    if (this.#isAnswered || this.#isClosed) return true
    if (typeof chunk === 'string') this.#keep(Buffer.from(chunk))
    else if (chunk !== undefined) this.#keep(chunk)
    return true
  }

  end(chunk?: string | Uint8Array): this {
    this.write(chunk)
    if (this.#isAnswered || this.#isClosed) return this
    this.#isAnswered = true
    this.#close()
    return this
  }

  /** Drops the response, since nobody waits for it any more. */
  destroy(): void {
    if (!this.#isClosed) this.#close()
  }

  on(event: 'close' | 'drain', listener: () => void): void {
    // It is never behind, so nobody waits for it to be drained.
    if (event === 'close') this.#onClose = this.#onClose.concat(listener)
  }

  once(event: 'close' | 'drain', listener: () => void): void {
    this.on(event, listener)
  }

  off(_event: 'close' | 'drain', listener: () => void): void {
    this.#onClose = this.#onClose.filter((known) => known !== listener)
  }

  #keep(piece: Uint8Array): void {
    this.#pieces ??= []
    this.#pieces.push(piece)
    this.#receiver.bytesKept(piece.length)
  }

  #close(): void {
    this.#isClosed = true
    // As of a socket: not before whoever ends it has come to its own end.
    process.nextTick(() => {
      for (const listener of this.#onClose) listener()
      this.#receiver.answered()
    })
  }
}
