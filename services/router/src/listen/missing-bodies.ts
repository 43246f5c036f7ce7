/**
 * Finds HTTP/2 connections that announce bodies in order not to send them. One request whose body does not
 * come costs its client a 503. If most requests of a connection do so, the connection is closed, and sooner
 * if the client has many connections like it.
 */
const MOST = 100
const MOST_OF_CLIENT = 1000
const MOST_BEYOND_THAT = 10
/** Milliseconds over which the missing bodies of one client are counted together. */
const PERIOD_MS = 10_000

/** How many requests a connection began, and how many of their bodies did not come. */
export type BodyCounts = {
  /** All requests of the connection. */
  begun: number
  /** Requests that were refused because their bodies did not come in time. */
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
   * Counts a request that was refused because its body did not come. Returns true if the connection is to be
   * closed.
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
