/**
 * The one place where bytes on their way out are counted: of whole answers, parts and errors, of HTTP/1 and
 * HTTP/2, from when they are made until the system has taken them. Beyond the limits a connection is closed,
 * of HTTP/2 a stream reset.
 */
import type { IncomingMessage } from 'node:http'
import type { ByteShares, HeldBytes, ByteHolder } from '../clients/byte-shares.ts'
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

  /** For the answer to a request: to be told how many bytes of it wait, and disposed when none ever will. */
  open(request: Pick<IncomingMessage, 'socket' | 'headers'>, answer: ByteHolder): HeldBytes {
    return this.#shares.open(this.#connections.clientOf(request), answer)
  }
}
