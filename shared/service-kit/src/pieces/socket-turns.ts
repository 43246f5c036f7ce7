/** The turns of sockets, and how reading from a socket is stopped for a while. */
import type { Socket } from 'node:net'
import { requireReadingHandle, requireStreamInternals } from './node-internals.ts'
import { type ConnectionLine, type PacedConnection, type Reading, ReadingTurns } from './reading-turns.ts'

/** Sockets of which a client that does much at once waits. */
export class SocketTurns {
  readonly #turns: ReadingTurns
  readonly #bySocket = new WeakMap<object, PacedConnection>()

  /** Throws NodeInternalsMissingError. */
  constructor(line: ConnectionLine) {
    requireStreamInternals()
    this.#turns = new ReadingTurns(line)
  }

  /**
   * Registers a socket until it is closed, or until it is given back. `begin` is called when its turn comes.
   * `worth` is the work of beginning, if that is not the usual work of a connection.
   */
  join(
    socket: Socket,
    client: string,
    begin: (paced: PacedConnection) => void = () => {},
    worth?: number,
  ): PacedConnection {
    const paced = this.#turns.join(client, readingOf(socket), begin, worth)
    this.#bySocket.set(socket, paced)
    socket.once('close', () => paced[Symbol.dispose]())
    return paced
  }

  /** Null if the socket has not joined. */
  of(socket: object): PacedConnection | null {
    return this.#bySocket.get(socket) ?? null
  }

  /** Counts a request that begins. Returns false if the client begins more at once than it has reason to. */
  begun(paced: PacedConnection): boolean {
    return this.#turns.begun(paced)
  }

  /** Counts what a connection made the server do, in pieces of bodies. */
  did(paced: PacedConnection, worth: number): void {
    this.#turns.did(paced, worth)
  }
}

/** The part of a handle of Node that reading is stopped by. */
type Handle = { readStop(): void; readStart(): void; reading?: boolean }

/**
 * node:http and node:http2 read from the handle of a socket by themselves, so the handle itself is stopped
 * and started. Node starts it again whenever somebody reads a body; while the socket waits, that is only
 * remembered (`reading`), and done when its turn comes. Throws NodeInternalsMissingError.
 */
export function readingOf(socket: Socket): Reading {
  const handle = (): Handle | null => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types; it is checked below
    return (socket as unknown as { readonly _handle: Handle | null })._handle
  }
  const first = handle()
  if (first !== null) requireReadingHandle(first)
  return {
    pause() {
      const own = handle()
      if (own === null) return
      own.readStop()
      own.readStart = () => {}
    },
    resume() {
      const own = handle()
      if (own === null) return
      // What the prototype has is seen again.
      Reflect.deleteProperty(own, 'readStart')
      if (own.reading !== false) own.readStart()
    },
  }
}
