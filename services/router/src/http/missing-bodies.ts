/**
 * Connections of HTTP/2 that are there to announce bodies and not to send them. One request that gives way
 * costs its client a 503; where most requests of a connection do, the connection is closed, sooner when its
 * client has many like it.
 */
const MOST = 100
const MOST_OF_CLIENT = 1000
const MOST_BEYOND_THAT = 10
/** In which a client's are counted together. */
const PERIOD_MS = 10_000

/** The requests of one connection, as far as their bodies matter. */
export type BodyCounts = {
  /** All of the connection. */
  begun: number
  /** Of these, whose bodies did not come before they had to give way. */
  missed: number
}

/** Counts the bodies that did not come, by connection and by client. */
export class MissingBodies {
  readonly #ofClients = new Map<string, number>()
  readonly #now: () => number
  #since = Number.NEGATIVE_INFINITY

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * One more request of a connection of this client had to give way. true: the connection is to be closed.
   */
  missed(client: string, requests: BodyCounts): boolean {
    const now = this.#now()
    if (now - this.#since > PERIOD_MS) {
      this.#since = now
      this.#ofClients.clear()
    }
    const ofClient = (this.#ofClients.get(client) ?? 0) + 1
    this.#ofClients.set(client, ofClient)
    requests.missed++
    const most = ofClient > MOST_OF_CLIENT ? MOST_BEYOND_THAT : MOST
    return requests.missed >= most && requests.missed * 2 > requests.begun
  }
}
