/**
 * Counts the bytes of answers from when they are made until the operating system has taken them, for HTTP/1
 * and HTTP/2. Beyond the limits the slowest client gives way: its HTTP/1 connection is closed, or its HTTP/2
 * stream is reset.
 */
import type { IncomingMessage } from 'node:http'
import type { ByteShares, HeldBytes, ByteHolder } from '../fairness/byte-shares.ts'
import type { Connections } from './connections.ts'

/** Counts what was written for clients and not sent yet. */
export class UnsentAnswers {
  readonly #shares: ByteShares
  readonly #connections: Pick<Connections, 'clientOf'>

  constructor(shares: ByteShares, connections: Pick<Connections, 'clientOf'>) {
    this.#shares = shares
    this.#connections = connections
  }

  get bytes(): number {
    return this.#shares.bytes
  }

  /**
   * Opens the account of one answer. The caller keeps it up to date, and disposes of it when nothing of the
   * answer waits.
   */
  open(request: Pick<IncomingMessage, 'socket' | 'headers'>, answer: ByteHolder): HeldBytes {
    return this.#shares.open(this.#connections.clientOf(request), answer)
  }
}
