/** The times of one WebSocket, and what is due at a moment. All times are those of `performance.now()`. */
import type { EndReason } from './closing.ts'
import { untilNextCheck } from '../tokens/token-check.ts'
import type { SocketsConfig } from './settings.ts'

type Limits = Pick<SocketsConfig, 'initTimeout' | 'idleTimeout' | 'maxAge' | 'pingInterval'> & {
  readonly requestTimeout: number
}

/** The state of a WebSocket that decides what is due. */
type SocketState = {
  /** Whether the client has said `connection_init`, and was told that it is well. */
  readonly isReady: boolean
  /** Whether operations are in progress. */
  readonly isBusy: boolean
  /** The time since which a message is on its way that is not whole; null if none is. */
  readonly messageSince: number | null
}

/** The next step of the router about a WebSocket; null if there is none. */
export type Due =
  | Extract<EndReason, 'init-timeout' | 'idle' | 'age' | 'no-pong' | 'half-message'>
  | 'ping'
  | null

/** Is told what happens on a WebSocket, and says what is due. */
export class SocketTimes {
  readonly opened = performance.now()
  /** The time since which no operation is in progress. */
  idleSince = this.opened
  /** The time of the next check of the token. */
  tokenCheck = Number.POSITIVE_INFINITY
  #pinged = this.opened
  #isAnswered = true

  /** A ping is on its way. */
  pinged(now: number): void {
    this.#pinged = now
    this.#isAnswered = false
  }

  ponged(): void {
    this.#isAnswered = true
  }

  /** Sets when the token is checked again. `expires` is in Unix milliseconds; null if nobody knows. */
  tokenChecked(now: number, expires: number | null): void {
    this.tokenCheck = now + untilNextCheck(expires)
  }

  /** Returns what is due at this moment; null if nothing is. */
  due(now: number, limits: Limits, { isReady, isBusy, messageSince }: SocketState): Due {
    const age = now - this.opened
    if (!isReady && age >= limits.initTimeout) return 'init-timeout'
    if (messageSince !== null && now - messageSince >= limits.requestTimeout) return 'half-message'
    if (isReady && !isBusy && now - this.idleSince >= limits.idleTimeout) return 'idle'
    if (age >= limits.maxAge) return 'age'
    if (now - this.#pinged < limits.pingInterval) return null
    return this.#isAnswered ? 'ping' : 'no-pong'
  }
}
