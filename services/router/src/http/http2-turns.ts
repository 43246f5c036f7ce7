/**
 * Limits how many HTTP/2 requests one client may begin and end in one turn of the event loop.
 *
 * node:http2 hands over everything that it has read from a connection at once, which may be hundreds of
 * requests, and it reads every readable connection in the same turn. A client that does more than the limit
 * in a turn is not read for now: each of its connections gets a later turn of its own, one connection per
 * client and turn. What the client sends meanwhile waits in the operating system, and TCP makes the client
 * wait, too.
 */
import type { Socket } from 'node:net'
import { FairLine } from '../clients/fair-line.ts'

/** How many requests of one client may begin or end in one turn before its connections wait. */
const CALM = 200
/** Opening a connection counts as this many requests. */
const CONNECTION = 4
/**
 * Requests that a connection may begin in one turn, twice as many as it may have open: no client that waits
 * for answers gets there. nginx draws the line at the same place.
 */
const MOST_BEGUN = 512

/** A connection that can be told to wait. */
export type Reading = { pause(): void; resume(): void }

/** Makes connections of a client that does much in one turn wait for turns of their own. */
export class Http2Turns {
  readonly #schedule: (next: () => void) => void
  /** What each client did in this turn. */
  readonly #done = new Map<string, number>()
  /** The connections of each client that are being read. */
  readonly #read = new Map<string, Set<PacedConnection>>()
  readonly #line = new FairLine<PacedConnection>()
  #isScheduled = false
  #turn = 0

  /** `schedule` calls its argument after everything that has arrived was read. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /**
   * Registers a new connection of this client. `begin` is called when its turn comes: at once for a client
   * that does little.
   */
  join(client: string, reading: Reading, begin: (paced: PacedConnection) => void): PacedConnection {
    const paced = new PacedConnection(client, reading, begin, this)
    const done = (this.#done.get(client) ?? 0) + CONNECTION
    if (done > CALM) this.#wait(paced)
    else this.#proceed(paced)
    this.#note(client, done)
    return paced
  }

  /** Counts a request that begins. Returns false if the client begins more at once than it has reason to. */
  begun(paced: PacedConnection): boolean {
    this.ended(paced)
    if (paced.turn !== this.#turn) {
      paced.turn = this.#turn
      paced.begun = 0
    }
    return ++paced.begun <= MOST_BEGUN
  }

  /** Counts a request that was answered, reset or broken off. */
  ended({ client }: PacedConnection): void {
    const done = (this.#done.get(client) ?? 0) + 1
    this.#note(client, done)
    if (done <= CALM) return
    for (const paced of this.#read.get(client) ?? []) {
      paced.reading.pause()
      this.#wait(paced)
    }
    this.#read.delete(client)
  }

  /** To be called when the connection is closed. */
  leave(paced: PacedConnection): void {
    const { client } = paced
    this.#line.withdraw(paced)
    const read = this.#read.get(client)
    read?.delete(paced)
    if (read?.size === 0) this.#read.delete(client)
  }

  #wait(paced: PacedConnection): void {
    this.#line.add({ address: paced.client, name: '' }, paced)
  }

  #proceed(paced: PacedConnection): void {
    const read = this.#read.get(paced.client) ?? new Set()
    this.#read.set(paced.client, read.add(paced))
    const { begin } = paced
    paced.begin = null
    if (begin === null) paced.reading.resume()
    else begin(paced)
  }

  #note(client: string, done: number): void {
    this.#done.set(client, done)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#next)
  }

  readonly #next = (): void => {
    this.#isScheduled = false
    this.#turn++
    this.#done.clear()
    const turn = this.#line.take()
    if (turn !== null) this.#proceed(turn.item)
    if (this.#line.size === 0 || this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#next)
  }
}

/** One connection among those that take turns. */
export class PacedConnection implements Disposable {
  readonly client: string
  readonly reading: Reading
  /** Null once it was called. */
  begin: ((paced: PacedConnection) => void) | null
  /** Requests begun in the turn of this number. */
  begun = 0
  turn = 0
  readonly #turns: Http2Turns

  constructor(client: string, reading: Reading, begin: (paced: PacedConnection) => void, turns: Http2Turns) {
    this.client = client
    this.reading = reading
    this.begin = begin
    this.#turns = turns
  }

  [Symbol.dispose](): void {
    this.#turns.leave(this)
  }
}

type Handle = { readStop(): void; readStart(): void }

/**
 * node:http2 reads from the handle of a socket by itself and cannot be paused, so the handle itself is
 * stopped and started.
 */
export function readingOf(socket: Socket): Reading {
  const handle = (): Handle | null => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types; http2-turns.test.ts shows that it works
    return (socket as unknown as { readonly _handle: Handle | null })._handle
  }
  return { pause: () => handle()?.readStop(), resume: () => handle()?.readStart() }
}
