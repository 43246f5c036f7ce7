/**
 * The subscriptions that share a WebSocket, because their handshakes are equal. The WebSocket is made again
 * when it is lost, with all its subscriptions, and closed some seconds after the last of them has left.
 */
import { failedSource } from '../failed-source.ts'
import { type Fault, refusedByCircuit } from '../failures.ts'
import type { OpeningAttempts } from '../opening-attempts.ts'
import { Reconnection } from '../reconnection.ts'
import type { OpenSource, UpstreamFailure, UpstreamListener } from '../upstream.ts'
import { CLOSE } from './socket-faults.ts'
import type { ServerMessage } from './server-messages.ts'
import { type SocketOwner, UpstreamSocket, type UpstreamSocketOptions } from './upstream-socket.ts'

/**
 * Milliseconds for which a WebSocket without subscriptions is kept. A page that is left for another one often
 * subscribes to something else a moment later, which then saves three round trips.
 */
const LINGER = 5000

export type SharedSocketOptions = Omit<UpstreamSocketOptions, 'owner'> & {
  /** The attempts to open the WebSocket, of which the first has begun. They are disposed at the end. */
  readonly attempts: OpeningAttempts
  /** Called once, when no further subscription may use this object. */
  readonly onOver: () => void
}

/** One subscription on the WebSocket. */
type Subscription = {
  readonly body: string
  readonly exactNumbers: boolean
  readonly listener: UpstreamListener
  /** Whether it was sent, perhaps on a WebSocket that was lost since. */
  wasSent: boolean
}

/** A WebSocket that is made again when it is lost. */
export class SharedSocket implements SocketOwner {
  readonly #options: SharedSocketOptions
  readonly #reconnection: Reconnection
  readonly #subscriptions = new Map<string, Subscription>()
  #socket: UpstreamSocket
  #lastId = 0
  #linger: NodeJS.Timeout | undefined
  #isOver = false

  constructor(options: SharedSocketOptions) {
    this.#options = options
    this.#reconnection = new Reconnection({
      window: options.config.reconnectWindow,
      connect: () => this.#reconnect(),
      giveUp: (fault) => this.#giveUp(fault),
    })
    this.#socket = this.#connect()
  }

  /** Opens a subscription. `body` is the JSON of its request. The listener is told nothing in this turn. */
  subscribe(body: string, exactNumbers: boolean, listener: UpstreamListener): OpenSource {
    const { attempts, subgraph } = this.#options
    if (!attempts.mayAdd()) return failedSource(refusedByCircuit(subgraph).failure, listener)
    clearTimeout(this.#linger)
    const id = String(++this.#lastId)
    const subscription: Subscription = { body, exactNumbers, listener, wasSent: false }
    this.#subscriptions.set(id, subscription)
    if (this.#socket.isReady) this.#send(id, subscription)
    return { close: () => this.#leave(id) }
  }

  acknowledged(): void {
    const { attempts, events, subgraph } = this.#options
    attempts.ended('answered')
    if (this.#reconnection.opened()) events.reopened(subgraph)
    // Listeners may open and close subscriptions meanwhile.
    const subscriptions = [...this.#subscriptions]
    for (const [id, subscription] of subscriptions) {
      if (!this.#subscriptions.has(id)) continue
      const { wasSent, listener } = subscription
      this.#send(id, subscription)
      if (wasSent) listener.reopened()
    }
  }

  received(message: ServerMessage & { readonly id: string }, bytes: number): boolean {
    const { id } = message
    const subscription = this.#subscriptions.get(id)
    // The server may have sent it before it knew that the subscription was over.
    if (subscription === undefined) return this.#wasGiven(id)
    const { listener } = subscription
    if (message.type === 'next') {
      listener.event(message.payload, bytes)
      return true
    }
    // The id is no longer in use at the server, so there is nothing to be completed.
    subscription.wasSent = false
    if (message.type === 'error') listener.event({ errors: message.payload }, bytes)
    if (this.#forget(id)) listener.completed()
    return true
  }

  isExact(id: string): boolean {
    return this.#subscriptions.get(id)?.exactNumbers === true
  }

  ended(fault: Fault): void {
    const { attempts, events, subgraph } = this.#options
    attempts.ended(fault.result)
    if (fault.mayRecover && this.#subscriptions.size === 0) return this.#giveUp(fault)
    events.lost(subgraph, fault)
    this.#reconnection.lost(fault)
  }

  /** Closes the WebSocket. Nobody is told. Resolves when the connection is gone. */
  close(code: number = CLOSE.goingAway): Promise<void> {
    this.#subscriptions.clear()
    this.#over()
    this.#socket.close(code)
    return this.#socket.closed
  }

  #reconnect(): void {
    const { attempts, subgraph } = this.#options
    if (attempts.begin()) this.#socket = this.#connect()
    else this.#reconnection.lost(refusedByCircuit(subgraph))
  }

  #connect(): UpstreamSocket {
    return new UpstreamSocket({ ...this.#options, owner: this })
  }

  #send(id: string, subscription: Subscription): void {
    subscription.wasSent = true
    this.#socket.send(`{"id":"${id}","type":"subscribe","payload":${subscription.body}}`)
  }

  #leave(id: string): void {
    const subscription = this.#subscriptions.get(id)
    if (subscription === undefined) return
    if (subscription.wasSent) this.#socket.send(`{"id":"${id}","type":"complete"}`)
    this.#forget(id)
  }

  /** Returns false if the subscription was over already. */
  #forget(id: string): boolean {
    if (!this.#subscriptions.delete(id)) return false
    if (this.#subscriptions.size === 0 && !this.#isOver) {
      clearTimeout(this.#linger)
      // Others may need to be the probe.
      if (this.#options.attempts.isProbing) void this.close(CLOSE.normal)
      else this.#linger = setTimeout(() => void this.close(CLOSE.normal), LINGER)
    }
    return true
  }

  #wasGiven(id: string): boolean {
    const number = Number(id)
    return Number.isInteger(number) && number > 0 && number <= this.#lastId && id === String(number)
  }

  #giveUp({ failure }: Fault): void {
    const listeners = [...this.#subscriptions]
    this.#over()
    this.#socket.close(CLOSE.normal)
    for (const [id, { listener }] of listeners) if (this.#subscriptions.delete(id)) fail(listener, failure)
  }

  #over(): void {
    clearTimeout(this.#linger)
    this.#reconnection[Symbol.dispose]()
    if (this.#isOver) return
    this.#isOver = true
    this.#options.attempts[Symbol.dispose]()
    this.#options.onOver()
  }
}

function fail(listener: UpstreamListener, failure: UpstreamFailure): void {
  listener.failed(failure)
}
