/** Takes the answer to a request that came as a part of something larger, until all of it is there. */
import { type IncomingMessage, ServerResponse } from 'node:http'

/**
 * Keeps the body. Its headers are dropped: there is no place for them. The properties are defined with
 * `defineProperty` because node:http has accessors where its types declare fields.
 */
export class CollectedResponse extends ServerResponse {
  readonly #pieces: Uint8Array[] = []
  readonly #onBytes: (bytes: number) => void
  readonly #onAnswered: () => void
  #hasHead = false
  #isAnswered = false
  #isClosed = false

  static {
    const define = (name: string, get: (response: CollectedResponse) => boolean): void => {
      Object.defineProperty(this.prototype, name, {
        get(this: CollectedResponse) {
          return get(this)
        },
      })
    }
    define('headersSent', (response) => response.#hasHead)
    define('writableEnded', (response) => response.#isAnswered)
    define('writableFinished', (response) => response.#isAnswered)
  }

  /** `onBytes`: more bytes are kept. `onAnswered`: the answer is there, or will never be. Called once. */
  constructor(
    request: IncomingMessage,
    { onBytes, onAnswered }: { readonly onBytes: (bytes: number) => void; readonly onAnswered: () => void },
  ) {
    super(request)
    this.#onBytes = onBytes
    this.#onAnswered = onAnswered
  }

  /** The body; none if it was never answered. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces
  }

  /** Whether all of the answer is there. False until then, and if it was dropped. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  override writeHead(status: number): this {
    this.#hasHead = true
    this.statusCode = status
    return this
  }

  override write(chunk: unknown): boolean {
    if (this.#isAnswered || this.#isClosed) return true
    if (typeof chunk === 'string') this.#keep(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) this.#keep(chunk)
    return true
  }

  override end(chunk?: unknown): this {
    this.write(chunk)
    if (this.#isAnswered || this.#isClosed) return this
    this.#isAnswered = true
    this.#close()
    return this
  }

  /** Drops the response, since nobody waits for it any more. */
  abandon(): void {
    if (!this.#isClosed) this.#close()
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#onBytes(piece.length)
  }

  #close(): void {
    this.#isClosed = true
    // As of a socket: not before whoever ends it has come to its own end.
    process.nextTick(() => {
      this.emit('close')
      this.#onAnswered()
    })
  }
}
