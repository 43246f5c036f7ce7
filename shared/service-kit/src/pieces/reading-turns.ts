/**
 * Limits what the connections of one client may make a server do in one turn of the event loop.
 *
 * Node hands over everything that it has read from a connection at once, which may be hundreds of requests or
 * ten thousand pieces of a body, and it reads every readable connection in the same turn. A client that does
 * more than the limit in a turn is not read for now: its connections go on in later turns, one by one. Those
 * that did little when they were read last go on a few at a time, but wait again as soon as the client is
 * over the limit. What the client sends meanwhile waits in the operating system, and TCP makes the client
 * wait, too.
 *
 * What is done is counted in microseconds, by what it takes on a usual machine: no clock is read.
 */

/** Microseconds of work that a client may cause in one turn before its connections wait. */
const CALM = 10_000
/** Connections that go on in one turn, if each of them did little when it was read last: two requests. */
const BATCH = 16
const LITTLE = 100
/** The work of single events, in microseconds or so. */
export const WORTH = { piece: 2, request: 50, connection: 200, handshake: 1000 } as const
/**
 * Requests that a connection may begin in one turn, twice as many as it may have open: no client that waits
 * for answers gets there. nginx draws the line at the same place.
 */
const MOST_BEGUN = 512

/** A connection that can be told to wait. */
export type Reading = { pause(): void; resume(): void }

/** The line in which connections wait for their turns. */
export interface ConnectionLine {
  readonly size: number
  add(connection: PacedConnection): void
  /** Takes the connection whose turn it is; null if none waits. */
  take(): PacedConnection | null
  withdraw(connection: PacedConnection): void
}

/** The work that the connections of one client caused. */
class ClientWork {
  readonly name: string
  /** Connections that are open. */
  connections = 0
  /** Those of them that are being read. */
  readonly read = new Set<PacedConnection>()
  /** The last turn in which work was done, and that work in microseconds. */
  turn = 0
  done = 0

  constructor(name: string) {
    this.name = name
  }
}

/** Makes connections of a client that does much in one turn wait for turns of their own. */
export class ReadingTurns {
  readonly #line: ConnectionLine
  readonly #schedule: (next: () => void) => void
  readonly #clients = new Map<string, ClientWork>()
  #isScheduled = false
  #turn = 0

  /** `schedule` calls its argument after everything that has arrived was read. */
  constructor(line: ConnectionLine, schedule: (next: () => void) => void = setImmediate) {
    this.#line = line
    this.#schedule = schedule
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /**
   * Registers a new connection of this client. `begin` is called when its turn comes: at once for a client
   * that does little. Nothing is read before.
   */
  join(
    client: string,
    reading: Reading,
    begin: (paced: PacedConnection) => void,
    worth: number = WORTH.connection,
  ): PacedConnection {
    let work = this.#clients.get(client)
    if (work === undefined) this.#clients.set(client, (work = new ClientWork(client)))
    work.connections++
    const paced = new PacedConnection(work, reading, begin, this)
    if (this.#add(work, worth) > CALM) this.#wait(paced)
    else this.#proceed(paced)
    return paced
  }

  /** Counts a request that begins. Returns false if the client begins more at once than it has reason to. */
  begun(paced: PacedConnection): boolean {
    this.did(paced, WORTH.request)
    if (paced.turn !== this.#turn) {
      paced.turn = this.#turn
      paced.begun = 0
    }
    return ++paced.begun <= MOST_BEGUN
  }

  /** Counts what a connection made the server do. */
  did(paced: PacedConnection, worth: number): void {
    const { work } = paced
    paced.recent += worth
    if (this.#add(work, worth) <= CALM || work.read.size === 0) return
    for (const read of work.read) this.#wait(read)
    work.read.clear()
  }

  /** Nothing more is read from the connection. */
  stop(paced: PacedConnection): void {
    this.#line.withdraw(paced)
    paced.work.read.delete(paced)
    paced.reading.pause()
  }

  /** Removes a connection when it is closed. */
  leave(paced: PacedConnection): void {
    const { work } = paced
    if (paced.isClosed) return
    paced.isClosed = true
    this.#line.withdraw(paced)
    work.read.delete(paced)
    if (--work.connections === 0) this.#clients.delete(work.name)
  }

  /** Returns what the client did in this turn. */
  #add(work: ClientWork, worth: number): number {
    if (work.turn !== this.#turn) {
      work.turn = this.#turn
      work.done = 0
    }
    this.#scheduleNext()
    return (work.done += worth)
  }

  #wait(paced: PacedConnection): void {
    paced.isWaiting = true
    paced.reading.pause()
    this.#line.add(paced)
  }

  #proceed(paced: PacedConnection): void {
    paced.work.read.add(paced)
    paced.recent = 0
    if (paced.isWaiting) paced.reading.resume()
    paced.isWaiting = false
    const { begin } = paced
    paced.begin = null
    begin?.(paced)
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#next)
  }

  readonly #next = (): void => {
    this.#isScheduled = false
    this.#turn++
    for (let taken = 0; taken < BATCH; taken++) {
      const next = this.#line.take()
      if (next === null) break
      const didMuch = next.recent > LITTLE
      this.#proceed(next)
      if (didMuch) break
    }
    if (this.#line.size > 0) this.#scheduleNext()
  }
}

/** One connection among those that take turns. */
export class PacedConnection implements Disposable {
  readonly work: ClientWork
  readonly reading: Reading
  /** Null once it was called. */
  begin: ((paced: PacedConnection) => void) | null
  /** The work since the connection was last told to go on, in microseconds. */
  recent = 0
  isWaiting = false
  isClosed = false
  /** Requests begun in the turn of this number. */
  begun = 0
  turn = 0
  readonly #turns: ReadingTurns

  constructor(
    work: ClientWork,
    reading: Reading,
    begin: (paced: PacedConnection) => void,
    turns: ReadingTurns,
  ) {
    this.work = work
    this.reading = reading
    this.begin = begin
    this.#turns = turns
  }

  get client(): string {
    return this.work.name
  }

  /** Counts pieces of bodies. */
  piecesRead(count: number): void {
    this.#turns.did(this, count * WORTH.piece)
  }

  /** Reads nothing more from the connection. */
  stop(): void {
    this.#turns.stop(this)
  }

  [Symbol.dispose](): void {
    this.#turns.leave(this)
  }
}
