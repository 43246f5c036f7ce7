/**
 * An HTTP/1 response that is ended when its client stops reading, or when too many bytes wait to be read.
 *
 * The time limit is the timeout of the socket, which starts anew with every byte that the operating system
 * takes. It is set, and bytes are counted, only while bytes are left over, which most answers never have.
 */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HeldBytes, ByteHolder } from '../fairness/byte-shares.ts'
import { type ClientStalledError, slowestReaderError, readNothing } from '../request/client-stalled.ts'
import type { UnsentAnswers } from './unsent-answers.ts'

/**
 * Length from which a text is sent as bytes: node:http reserves three bytes for each character of a text that
 * has to wait, and only the real size for bytes.
 */
const LARGE = 64 * 1024

/** A response of HTTP/1 whose unsent bytes are counted, and which ends when its client reads nothing. */
export class WatchedResponse extends ServerResponse implements ByteHolder {
  /** Milliseconds without progress after which the connection is closed. */
  writeTimeout = 0
  /** Counts the bytes of this response that are not sent yet. */
  unsent: UnsentAnswers | null = null
  /**
   * Called when the whole response is sent and the body of its request is still on its way, before node:http
   * closes the connection.
   */
  onEarlyEnd: ((request: IncomingMessage) => void) | null = null
  /** Called once when it is this response's turn on its connection. */
  onTurn: (() => void) | null = null
  #held: HeldBytes | null = null
  /** The bytes of unsent texts minus their characters, because node:http counts only the characters. */
  #beyondCharacters = 0
  #recount: (() => void) | null = null
  #stalled: ClientStalledError | null = null

  static {
    // The types of node:http declare a field where the class has an accessor.
    Object.defineProperty(this.prototype, 'errored', {
      get(this: WatchedResponse) {
        return this.#stalled
      },
    })
  }

  override write(text: unknown): boolean {
    this.#recount ??= () => this.#count()
    const chunk = encoded(text)
    const mayGoOn = super.write(chunk, this.#recount)
    this.#watch(chunk)
    return mayGoOn
  }

  override end(text?: unknown): this {
    const chunk = encoded(text)
    if (!this.req.complete && !this.writableEnded) this.#watchRequest()
    super.end(chunk)
    this.#watch(chunk)
    return this
  }

  /** Attaches the socket, because the response before this one on the same connection is done. */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket)
    if (socket.timeout !== 0) socket.setTimeout(0)
    const { onTurn } = this
    this.onTurn = null
    onTurn?.()
  }

  giveWay(): void {
    this.#end(slowestReaderError())
  }

  /**
   * Watches for the end of the response before that of the request. node:http closes the connection with the
   * same event, so this listener has to be the first one.
   */
  #watchRequest(): void {
    this.prependListener('finish', () => {
      if (!this.req.complete) this.onEarlyEnd?.(this.req)
    })
  }

  #watch(text: unknown): void {
    if (this.writableLength === 0 || this.socket === null) return
    if (typeof text === 'string') this.#beyondCharacters += Buffer.byteLength(text) - text.length
    this.socket.setTimeout(this.writeTimeout)
    if (this.#held === null) this.#follow()
    this.#count()
  }

  #follow(): void {
    this.#held = this.unsent?.open(this.req, this) ?? null
    this.once('close', () => this.#held?.[Symbol.dispose]())
    this.on('timeout', () => {
      // The client has read all that there is; the rest of the answer is still being made.
      if (this.writableLength > 0) this.#end(readNothing(this.writeTimeout))
    })
  }

  #count(): void {
    const left = this.writableLength
    if (left === 0) this.#beyondCharacters = 0
    this.#held?.set(this.destroyed ? 0 : left + this.#beyondCharacters)
  }

  #end(why: ClientStalledError): void {
    this.#stalled = why
    this.destroy()
  }
}

function encoded(text: unknown): unknown {
  return typeof text === 'string' && text.length > LARGE ? Buffer.from(text) : text
}
