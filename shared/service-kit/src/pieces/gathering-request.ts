/**
 * Requests of node:http whose bodies come in pieces of a reasonable size, however they were cut. node:http
 * hands over each chunk alone: ten thousand chunks of one byte in one read, each in a buffer of its own.
 */
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { GatheredPieces, TooManyPiecesError } from './gathered-pieces.ts'
import type { PacedConnection } from './reading-turns.ts'

/** Finds the connection of a socket among those that take turns. Returns null if it is not one of them. */
export type PaceOf = (socket: Socket) => Pick<PacedConnection, 'piecesRead' | 'stop'> | null

/**
 * Makes the class of requests for `createServer`. A request whose body comes in too many pieces gets the
 * event `error` with TooManyPiecesError, and nothing more is read from its connection, which is closed if
 * nobody listens.
 */
export function gatheringRequest(paceOf: PaceOf): typeof IncomingMessage {
  return class GatheringRequest extends IncomingMessage {
    #gathered: GatheredPieces | null = null
    /** Nobody wants the body: it is read, since the next request comes after it. */
    #isDumped = false
    #isOver = false
    #pace: ReturnType<PaceOf> | undefined
    /** The last answer of Node's own stream: false if it has enough for now. */
    #wantsMore = true

    /** Called by Node's parser with each piece, and with null at the end. */
    override push(piece: unknown): boolean {
      if (this.#isOver) {
        this.#pace?.piecesRead(1)
        return true
      }
      if (!(piece instanceof Buffer)) {
        this.#gathered?.flush()
        return super.push(piece)
      }
      this.#wantsMore = true
      this.#take(piece)
      return this.#wantsMore
    }

    /** Called by Node when the request is answered and nobody has read its body. */
    _dump(): void {
      if (this.#isDumped) return
      this.#isDumped = true
      this.removeAllListeners('data')
      if (this.complete && !this.destroyed && this.readableLength === 0) this.read(0)
      else this.resume()
    }

    #take(piece: Buffer): void {
      const gathered = (this.#gathered ??= new GatheredPieces((bytes) => {
        if (!this.#isDumped) this.#wantsMore = super.push(bytes)
      }))
      this.#pace ??= paceOf(this.socket)
      this.#pace?.piecesRead(1)
      gathered.add(piece)
      if (gathered.areTooMany) this.#refuse()
    }

    #refuse(): void {
      this.#isOver = true
      this.#gathered = null
      this.#pace?.stop()
      if (this.listenerCount('error') > 0) this.emit('error', new TooManyPiecesError())
      else this.socket.destroy()
    }
  }
}
