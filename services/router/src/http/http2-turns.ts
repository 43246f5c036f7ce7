/**
 * How much clients begin and end over HTTP/2 in one turn of the event loop. node:http2 hands over everything
 * that it has read from a connection at once, hundreds of requests, and in the same turn it reads every
 * connection on which something has come. So of a client that does much in a turn nothing more is read for
 * now: each of its connections gets a turn of its own later, of all clients with many of them one in each
 * turn. What it sends waits in the system meanwhile, where TCP makes the client wait, too.
 */
import type { Socket } from 'node:net'
import { FairLine } from '../clients/fair-line.ts'

/** Beginnings and ends of requests of one client in one turn, after which its connections wait. */
const CALM = 200
/** A connection costs as much to begin as so many requests. */
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
  /** By client; what was done in this turn. */
  readonly #done = new Map<string, number>()
  /** Of each client those that are read. */
  readonly #read = new Map<string, Set<Place>>()
  readonly #line = new FairLine<Place>()
  #isScheduled = false
  #turn = 0

  /** `schedule` calls back when everything was read that had come. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#line.size
  }

  /**
   * A new connection of this client. `begin` is called when it is its turn, at once for a client that does
   * little.
   */
  join(client: string, reading: Reading, begin: (place: Place) => void): Place {
    const place = new Place(client, reading, begin, this)
    const done = (this.#done.get(client) ?? 0) + CONNECTION
    if (done > CALM) this.#wait(place)
    else this.#proceed(place)
    this.#note(client, done)
    return place
  }

  /** A request was begun. false: more than any client has reason to begin at once. */
  begun(place: Place): boolean {
    this.ended(place)
    if (place.turn !== this.#turn) {
      place.turn = this.#turn
      place.begun = 0
    }
    return ++place.begun <= MOST_BEGUN
  }

  /** A request was answered, reset or broken off. */
  ended({ client }: Place): void {
    const done = (this.#done.get(client) ?? 0) + 1
    this.#note(client, done)
    if (done <= CALM) return
    for (const place of this.#read.get(client) ?? []) {
      place.reading.pause()
      this.#wait(place)
    }
    this.#read.delete(client)
  }

  /** The connection is closed. */
  leave(place: Place): void {
    const { client } = place
    this.#line.withdraw(place)
    const read = this.#read.get(client)
    read?.delete(place)
    if (read?.size === 0) this.#read.delete(client)
  }

  #wait(place: Place): void {
    this.#line.add({ address: place.client, name: '' }, place)
  }

  #proceed(place: Place): void {
    const read = this.#read.get(place.client) ?? new Set()
    this.#read.set(place.client, read.add(place))
    const { begin } = place
    place.begin = null
    if (begin === null) place.reading.resume()
    else begin(place)
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
export class Place implements Disposable {
  readonly client: string
  readonly reading: Reading
  /** null: it was called. */
  begin: ((place: Place) => void) | null
  /** Requests begun in the turn of this number. */
  begun = 0
  turn = 0
  readonly #turns: Http2Turns

  constructor(client: string, reading: Reading, begin: (place: Place) => void, turns: Http2Turns) {
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
 * node:http2 takes the handle of a socket and reads from it by itself. It has no way to make it wait, the
 * handle has.
 */
export function readingOf(socket: Socket): Reading {
  const handle = (): Handle | null => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types; http2-turns.test.ts shows that it works
    return (socket as unknown as { readonly _handle: Handle | null })._handle
  }
  return { pause: () => handle()?.readStop(), resume: () => handle()?.readStart() }
}
