/** Connections of HTTP/1.1 that go on in another protocol. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type PacedConnection, type SocketTurns, WORTH } from '@switchyard/service-kit'
import { framingFault } from '../http/message-checks.ts'

/** Counts the work that a connection causes after its upgrade. */
export type UpgradedWork = { readonly piece: () => void; readonly message: () => void }

/** A connection whose client asks for another protocol, and gets it. */
export type UpgradedConnection = {
  readonly request: IncomingMessage
  readonly socket: Socket
  /** The first bytes in the other protocol. */
  readonly head: Buffer
  readonly work: UpgradedWork
}

/** Serves the other protocol. */
export type Upgrades = {
  /**
   * Whether the connection is to go on in the other protocol. If not, the request is answered as others are.
   */
  accepts(request: IncomingMessage): boolean
  open(connection: UpgradedConnection): void
  /** Lets clients go on at another router, as soon as what they have begun is done. */
  drain(): void
  /** Ends all connections. Resolves when they are closed. */
  close(): Promise<void>
}

/** Whether a request may change the protocol of its connection. */
export function mayUpgrade(request: IncomingMessage): boolean {
  return framingFault(request) === null && isAlone(request.socket)
}

/**
 * Whether no earlier request of the connection is unanswered: its answer would come in the other protocol.
 * node:http keeps the response whose turn it is at the socket.
 */
function isAlone(socket: Socket & { readonly _httpMessage?: unknown }): boolean {
  return (socket._httpMessage ?? null) === null
}

/** Counts what an upgraded connection causes where sockets take turns. */
export function countedWork(turns: SocketTurns, paced: PacedConnection | null): UpgradedWork {
  const did = (worth: number) => (): void => {
    if (paced !== null) turns.did(paced, worth)
  }
  return { piece: did(WORTH.piece), message: did(WORTH.request) }
}
