/** The way into a WebSocket: counts what a client sends, takes it at a bounded pace, and says what it is. */
import type { Socket } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import type { ByteHolder, HeldBytes } from '../../fairness/byte-shares.ts'
import { Pace } from './pace.ts'

/** Bytes of a message on its way from which they are counted. */
const COUNTED = 8 * 1024

/** Counts the work that a connection causes, where connections take turns. */
export type CountedWork = { readonly piece: () => void; readonly message: () => void }

/** The parts that hear what comes. */
export type IntakeOptions = {
  readonly perSecond: () => number
  /** Opens the account for bytes of messages that are not whole. */
  readonly account: (holder: ByteHolder) => HeldBytes
  readonly work: CountedWork
  readonly onText: (text: string) => void
  readonly onBinary: () => void
  readonly onPing: (data: Buffer) => void
  readonly onPong: () => void
  /** The client sends a message that is not whole, and has to give way to others. */
  readonly onGiveWay: () => void
}

type Received = { readonly data: Buffer; readonly kind: 'text' | 'binary' | 'ping' }

/** Reads from one client. */
export class Intake implements Disposable {
  readonly #ws: WebSocket
  readonly #options: IntakeOptions
  readonly #pace: Pace<Received>
  readonly #held: HeldBytes
  readonly #pauses = new Set<'pace' | 'unread'>()
  #bytes = 0
  #since: number | null = null

  constructor(ws: WebSocket, socket: Socket, options: IntakeOptions) {
    this.#ws = ws
    this.#options = options
    this.#held = options.account({ giveWay: options.onGiveWay })
    this.#pace = new Pace({
      perSecond: options.perSecond,
      handle: (received) => this.#handOn(received),
      pause: () => this.pause('pace'),
      resume: () => this.resume('pace'),
    })
    socket.on('data', (chunk: Buffer) => this.#came(chunk.length))
    ws.on('message', (data: RawData, isBinary: boolean) =>
      this.#arrived({ kind: isBinary ? 'binary' : 'text', data: wholeOf(data) }),
    )
    ws.on('ping', (data: Buffer) => this.#arrived({ kind: 'ping', data }))
    ws.on('pong', () => {
      this.#whole()
      options.onPong()
    })
  }

  /**
   * The time of `performance.now()` since which a message is on its way that is not whole; null if none is.
   */
  get waitsSince(): number | null {
    return this.#since
  }

  /** Reads nothing more until it is resumed for the same reason. */
  pause(reason: 'pace' | 'unread'): void {
    this.#pauses.add(reason)
    this.#ws.pause()
  }

  resume(reason: 'pace' | 'unread'): void {
    this.#pauses.delete(reason)
    if (this.#pauses.size === 0) this.#ws.resume()
  }

  [Symbol.dispose](): void {
    this.#pace[Symbol.dispose]()
    this.#held[Symbol.dispose]()
    // What a closing WebSocket still gets has to be read, so that its end is seen.
    this.#ws.resume()
  }

  #came(bytes: number): void {
    this.#options.work.piece()
    this.#since ??= performance.now()
    this.#bytes += bytes
    if (this.#bytes >= COUNTED) this.#held.set(this.#bytes)
  }

  #whole(): void {
    this.#options.work.message()
    this.#since = null
    this.#bytes = 0
    this.#held.set(0)
  }

  #arrived(received: Received): void {
    this.#whole()
    this.#pace.take(received)
  }

  #handOn({ kind, data }: Received): void {
    if (kind === 'text') this.#options.onText(data.toString())
    else if (kind === 'ping') this.#options.onPing(data)
    else this.#options.onBinary()
  }
}

/** Messages of several fragments have been joined already. */
function wholeOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
