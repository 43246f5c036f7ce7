/**
 * Limits the requests whose bodies are still arriving. They are counted apart from requests in progress, so
 * that a client which announces bodies and does not send them takes no slot from complete requests. Beyond a
 * limit the request that has waited longest is refused, not the new one, whose body may come with the next
 * packet.
 */
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors/http-error.ts'
import { FairShare } from '../fairness/fair-share.ts'

/** The numbers of requests that may wait for their bodies, of one client and of all. */
export type UnreadLimits = { readonly perClient: number; readonly total: number }

/** The event that a request emits when it has to give way because its body has not come. */
export const BODY_MISSED = Symbol('body missed')

type Refuse = (error: HttpError) => void

/** The requests whose bodies are on their way. */
export class UnreadRequests {
  #limits: UnreadLimits
  readonly #share = new FairShare<Refuse>()
  readonly #onRefused: () => void
  /** Requests with time limits of their own, and the sockets of HTTP/1 that they come on. */
  readonly #slow = new WeakSet<object>()

  constructor(limits: UnreadLimits, onRefused: () => void) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  /** Changes the limits. Requests are refused by these limits when more come from now on. */
  changeLimits(limits: UnreadLimits): void {
    this.#limits = limits
  }

  /** Exempts a request from the time limit of other requests, because its reader has another one. */
  limitsItself(request: IncomingMessage): void {
    this.#slow.add(request)
    if (request.httpVersionMajor === 1) this.#slow.add(request.socket)
  }

  /** Ends the exemption of the connection of a request: its next request has the usual time limit. */
  hasArrived(request: IncomingMessage): void {
    if (request.httpVersionMajor === 1) this.#slow.delete(request.socket)
  }

  /** Returns whether a request has a time limit of its own, or the last request of a socket of HTTP/1. */
  isExempt(requestOrSocket: object): boolean {
    return this.#slow.has(requestOrSocket)
  }

  get count(): number {
    return this.#share.size
  }

  /**
   * Counts a request until the result is disposed, which has to be done when its body has arrived, or never
   * will. `refuse` is called at most once, and not after that.
   */
  add(client: string, refuse: Refuse): Disposable {
    this.#share.add(client, refuse)
    while (this.#share.sizeOf(client) > this.#limits.perClient) this.#refuse(this.#share.takeOldestOf(client))
    while (this.#share.size > this.#limits.total) this.#refuse(this.#share.takeFromLargest())
    return new UnreadRequest(this.#share, refuse)
  }

  #refuse(refuse: Refuse | null): void {
    if (refuse === null) return
    this.#onRefused()
    refuse(
      new HttpError(
        'OVERLOADED',
        'Too many requests wait for their bodies, and this one has waited longest. Send the body at once with the headers, or try again in a moment.',
        { 'Retry-After': '1' },
      ),
    )
  }
}

/** One request whose body is on its way. */
class UnreadRequest implements Disposable {
  readonly #share: FairShare<Refuse>
  readonly #refuse: Refuse

  constructor(share: FairShare<Refuse>, refuse: Refuse) {
    this.#share = share
    this.#refuse = refuse
  }

  [Symbol.dispose](): void {
    this.#share.delete(this.#refuse)
  }
}
