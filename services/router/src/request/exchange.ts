/** One request and its answer: what it is, what it holds, and how it ends. */
import type { IncomingMessage } from 'node:http'
import type { ExecutionWork } from '@switchyard/engine'
import type { ByteShares, ByteHolder } from '../fairness/byte-shares.ts'
import type { Client } from '../fairness/client.ts'
import { HttpError } from '../errors/http-error.ts'
import type { ResponseType } from '../http/negotiate.ts'
import type { Identity } from '../identity/identity.ts'
import type { EventReport } from '../observe/event-report.ts'
import type { RequestReport } from '../observe/request-report.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import type { ChosenComposition, StallLimit } from '../observe/request-summary.ts'
import type { ClientResponse } from '../http/client-response.ts'
import { ClientStalledError } from './client-stalled.ts'
import type { Decision } from './decision.ts'
import type { NamedClient } from './named-client.ts'
import type { RateCount } from './rate-count.ts'
import { RequestSize } from './request-size.ts'
import type { ClientRequest } from '../http/virtual-request.ts'

/** A composition that answers the request, and that stays in memory until it is released. */
export type HeldComposition = ChosenComposition & { readonly generation: { release(): void } }

/** The trace of a request, which its answers carry. */
export type CarriedTrace = Disposable & {
  /** Records the events of the request. */
  readonly recorder: RequestObserver
  /**
   * Makes the JSON for `extensions` of an answer, from the events so far. Returns a promise if it takes long.
   * Null if nobody waits for the JSON any more.
   */
  extensions(): string | null | Promise<string | null>
}

/** Results of stages that hold for all operations of a batch. */
type SettledWithBatch = { rateCounts: readonly RateCount[]; decision: Decision | null }

/** The parts that the answer of a request is made with, unless it is answered by events. */
type Making = {
  readonly size: RequestSize
  readonly work: ExecutionWork
  cancel: (() => void) | null
  refuse: ((error: HttpError) => void) | null
}

/** The events that answer a request. They end when nobody waits for them any more. */
type Events = { abandon(): void }

/** The request as draining counts it. */
type TrackedRequest = Disposable & { begin(): boolean; leaveProgress(): void }

/** The connections of clients. One that is held is not closed for others. */
type HeldConnections = { hold(socket: IncomingMessage['socket']): Disposable | null }

type ExchangeParts = {
  readonly request: ClientRequest
  readonly response: ClientResponse
  /** The media type of the answer; null if the client accepts none that the router writes. */
  readonly type: ResponseType | null
  /** Whether its answer is the only event of an event stream. */
  readonly answersByEvents: boolean
  /** The address, or network of IPv6, that the request counts for where clients are limited. */
  readonly client: string
  /** The name and version that the client gives itself. */
  readonly named: NamedClient
  /** The request as draining counts it; null if the router drains and waits for no further request. */
  readonly visit: TrackedRequest | null
  readonly unanswered: ByteShares
  /** Turns and steps for what is done with the answers of subgraphs to it, up to printing its own. */
  readonly work: ExecutionWork
  readonly report: RequestReport
}

const NO_COUNTS: readonly RateCount[] = []

/** A request in progress. The stages tell it what it holds; `close` lets go of all that. */
export class Exchange implements ByteHolder {
  readonly request: ClientRequest
  readonly response: ClientResponse
  readonly type: ResponseType | null
  readonly answersByEvents: boolean
  readonly client: string
  readonly named: NamedClient
  /** Collects the events of the request for logs and metrics. */
  readonly report: RequestReport
  readonly #visit: TrackedRequest | null
  #identity: Identity | null = null
  readonly #settled: SettledWithBatch = { rateCounts: NO_COUNTS, decision: null }
  /** While it is in progress, the connection is not closed for others. */
  #connection: Disposable | null = null
  #held: HeldComposition | null = null
  #trace: CarriedTrace | null = null
  #making: Making | null
  #events: Events | null = null
  #closed = false

  constructor(parts: ExchangeParts) {
    this.request = parts.request
    this.response = parts.response
    this.type = parts.type
    this.answersByEvents = parts.answersByEvents
    this.client = parts.client
    this.named = parts.named
    this.report = parts.report
    const size = new RequestSize(parts.unanswered, parts.client, this)
    this.#making = { size, work: parts.work, cancel: null, refuse: null }
    this.#visit = parts.visit
  }

  /** Whether the client is gone, or the request had to give way. Nothing is executed for it any more. */
  get closed(): boolean {
    return this.#closed
  }

  get requestId(): string {
    return this.report.summary.requestId
  }

  /** Turns and steps for its answer. Throws RangeError when it is answered by events, as `size` does. */
  get work(): ExecutionWork {
    return madeOf(this.#making).work
  }

  /** The bytes that are held for it. */
  get size(): RequestSize {
    return madeOf(this.#making).size
  }

  /** The composition that answers the request; null if none is chosen yet. */
  get held(): HeldComposition | null {
    return this.#held
  }

  /** The client that long work for the request counts for. */
  get countedClient(): Client {
    return { address: this.client, name: this.named.name }
  }

  /** The identity of the request; null if it has none, or if its token was not verified yet. */
  get identity(): Identity | null {
    return this.#identity
  }

  /** The rate limits that it counts for so far. */
  get rateCounts(): readonly RateCount[] {
    return this.#settled.rateCounts
  }

  countFor(count: RateCount): void {
    this.#settled.rateCounts = [...this.#settled.rateCounts, count]
  }

  /** The choice of a composition; null if it is not made yet. */
  get decision(): Decision | null {
    return this.#settled.decision
  }

  /** Notes the choice of a composition. */
  decide(decision: Decision): void {
    this.#settled.decision = decision
  }

  /** Notes the identity of the verified token. */
  identify(identity: Identity): void {
    this.#identity = identity
  }

  /** The trace that the answers carry; null if there is none, or if that is not decided yet. */
  get trace(): CarriedTrace | null {
    return this.#trace
  }

  /**
   * Counts the request as in progress, and holds its connection. False if too many requests are in progress.
   */
  beginProgress(connections: HeldConnections): boolean {
    if (this.#closed) return true
    if (this.#visit?.begin() === false) return false
    this.#connection = connections.hold(this.request.socket)
    return true
  }

  /**
   * Keeps the generation until the last byte of the answer. False, and releases it, if the client left while
   * the composition was being built.
   */
  hold(held: HeldComposition): boolean {
    if (this.#closed) {
      held.generation.release()
      return false
    }
    this.#held = held
    this.report.chose(held)
    return true
  }

  /** Records the request in this trace, which its answers carry. */
  recordIn(trace: CarriedTrace): void {
    this.#trace = trace
    this.report.tracedBy(trace.recorder)
  }

  /** Sets `refuse` to answer the request if it has to give way to others. */
  refuseBy(refuse: (error: HttpError) => void): void {
    if (this.#making !== null) this.#making.refuse = refuse
  }

  /** Notes an execution for the request, which `cancel` ends. */
  running(cancel: () => void): void {
    madeOf(this.#making).cancel = cancel
  }

  /**
   * Notes that it is answered by events for as long as its client stays. It is no longer among the requests
   * in progress, holds no bytes, and is not traced. Returns what reports the events.
   */
  serveEvents(events: Events): EventReport {
    this.finish()
    this.#making = null
    this.#visit?.leaveProgress()
    this.#events = events
    return this.report.beginEvents(this.#trace?.recorder ?? null)
  }

  /** Answers with another generation from now on. The one before is released. */
  moveTo(held: HeldComposition): void {
    this.#held?.generation.release()
    this.#held = held
    this.report.chose(held)
  }

  /** Ends what is executed for it. */
  abandon(): void {
    const cancel = this.#making?.cancel
    if (this.#making !== null) this.#making.cancel = null
    cancel?.()
    this.#events?.abandon()
  }

  giveWay(): void {
    this.failWith(gaveWay())
  }

  /** Answers with the error, and gives up what is executed for it. */
  failWith(error: HttpError): void {
    if (this.#closed) return
    this.#closed = true
    this.#making?.size[Symbol.dispose]()
    this.abandon()
    this.#making?.refuse?.(error)
  }

  /**
   * Lets go of everything that the answer was made of, since all of the answer is made, however slowly the
   * client reads.
   */
  finish(): void {
    if (this.#making === null) return
    this.#making.cancel = null
    this.#making.size[Symbol.dispose]()
  }

  /** The last byte is out, or the client is gone. */
  close(): void {
    this.#visit?.[Symbol.dispose]()
    this.#closed = true
    this.report.stopClock()
    const aborted = !this.response.writableFinished
    this.abandon()
    this.#making?.size[Symbol.dispose]()
    this.#trace?.[Symbol.dispose]()
    this.#held?.generation.release()
    this.#connection?.[Symbol.dispose]()
    this.report.end(aborted, stalledBy(this.response.errored))
  }
}

function madeOf(making: Making | null): Making {
  if (making !== null) return making
  throw new RangeError('The request is answered by events, each of which has work and bytes of its own.')
}

/** `node:http` types it as what only it sets. */
function stalledBy(errored: unknown): StallLimit | null {
  return errored instanceof ClientStalledError ? errored.limit : null
}

function gaveWay(): HttpError {
  return new HttpError(
    'OVERLOADED',
    'The requests that are not answered yet hold more than there is room for, and this one had to give way. What it began in subgraphs may have been carried out.',
  )
}
