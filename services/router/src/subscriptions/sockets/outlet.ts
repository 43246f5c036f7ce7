/**
 * The way out of a WebSocket: writes messages of the protocol, counts the bytes that the client has not read,
 * and ends a WebSocket whose client reads nothing.
 */
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ByteHolder, HeldBytes } from '../../fairness/byte-shares.ts'

/** Bytes from which an answer is sent as it is, in frames of its own, and not copied into one. */
const LARGE = 64 * 1024
/** Unread bytes from which nothing more is read from a client. */
const FULL = 1024 * 1024

/** The parts that watch a client that reads slowly. */
export type OutletOptions = {
  /** Opens the account for unread bytes. */
  readonly account: (holder: ByteHolder) => HeldBytes
  /** Milliseconds in which a client has to read something. */
  readonly writeTimeout: () => number
  /** Too much waits for the client: nothing more is to be read from it until `onRoom`. */
  readonly onFull: () => void
  readonly onRoom: () => void
  /** The client read nothing for too long, or has to give way to others. */
  readonly onStalled: () => void
}

/** Writes to one client. */
export class Outlet implements ByteHolder {
  readonly #ws: WebSocket
  readonly #socket: Socket
  readonly #options: OutletOptions
  readonly #drained = new Set<() => void>()
  #held: HeldBytes | null = null
  #isFull = false

  constructor(ws: WebSocket, socket: Socket, options: OutletOptions) {
    this.#ws = ws
    this.#socket = socket
    this.#options = options
    socket.on('drain', () => this.#count())
    socket.on('timeout', () => {
      if (socket.writableLength > 0) options.onStalled()
    })
    socket.on('close', () => this.#let())
  }

  /** Whether nothing can be written any more. */
  get isOver(): boolean {
    return this.#ws.readyState !== this.#ws.OPEN
  }

  /** Whether the client reads as fast as is written. */
  get keepsUp(): boolean {
    return !this.#socket.writableNeedDrain
  }

  /**
   * Calls the listener once when the client keeps up again; never, if it leaves, or if the result is disposed
   * before.
   */
  onceDrained(listener: () => void): Disposable {
    this.#drained.add(listener)
    return { [Symbol.dispose]: () => void this.#drained.delete(listener) }
  }

  /** Writes a message. */
  text(message: string): void {
    if (this.isOver) return
    this.#ws.send(message, this.#counts)
    this.#count()
  }

  /** Writes a message that is made of these pieces of UTF-8. */
  pieces(before: string, pieces: readonly Uint8Array[], after: string): void {
    if (this.isOver) return
    const all = [Buffer.from(before), ...pieces, Buffer.from(after)]
    const bytes = all.reduce((sum, { length }) => sum + length, 0)
    const frames = bytes <= LARGE ? [Buffer.concat(all, bytes)] : all
    this.#socket.cork()
    for (const [index, frame] of frames.entries())
      this.#ws.send(frame, { binary: false, fin: index === frames.length - 1 }, this.#counts)
    this.#socket.uncork()
    this.#count()
  }

  /** Answers a ping of RFC 6455. */
  pong(data: Buffer): void {
    if (this.isOver) return
    this.#ws.pong(data, false, this.#counts)
    this.#count()
  }

  giveWay(): void {
    this.#options.onStalled()
  }

  /** Is handed on with everything that is written, and called when the system has taken it. */
  readonly #counts = (): void => this.#count()

  #count(): void {
    const unread = this.#socket.destroyed ? 0 : this.#socket.writableLength
    if (unread === 0) {
      this.#let()
    } else {
      if (this.#held === null) {
        this.#held = this.#options.account(this)
        this.#socket.setTimeout(this.#options.writeTimeout())
      }
      this.#held.set(unread)
    }
    this.#tell(unread)
  }

  #let(): void {
    if (this.#held === null) return
    this.#held[Symbol.dispose]()
    this.#held = null
    this.#socket.setTimeout(0)
  }

  #tell(unread: number): void {
    if (unread > FULL !== this.#isFull) {
      this.#isFull = !this.#isFull
      if (this.#isFull) this.#options.onFull()
      else this.#options.onRoom()
    }
    if (this.#drained.size === 0) return
    const waiting = [...this.#drained]
    // What one of them writes may be too much again: then the others wait on, and are the first next time.
    for (const listener of waiting) {
      if (!this.keepsUp || this.isOver) return
      if (this.#drained.delete(listener)) listener()
    }
  }
}
