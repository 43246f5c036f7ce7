/** One subscription on an event stream, which is opened again when it is lost. */
import type { JsonObject } from '@switchyard/engine'
import type { CallPool } from '../../../transport/dispatch/call-pool.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import { type Fault, refusedByCircuit, resultOfStatus } from '../failures.ts'
import type { OpeningAttempts } from '../opening-attempts.ts'
import { Reconnection } from '../reconnection.ts'
import { ruledHeaders } from '../request-headers.ts'
import type { OpenSource, UpstreamListener, UpstreamRequest } from '../upstream.ts'
import { EVENT_STREAM, StreamCall, type StreamCallOptions, type StreamOwner } from './stream-call.ts'

export type EventStreamOptions = Omit<StreamCallOptions, 'owner' | 'subgraph'> & {
  readonly request: UpstreamRequest
  readonly listener: UpstreamListener
  /** The connections for streams to the subgraph, which are given back when the subscription is over. */
  readonly pool: Lease<CallPool>
  /** The attempts to open the stream, of which the first has begun. They are disposed at the end. */
  readonly attempts: OpeningAttempts
}

/** The subscription. Its listener is told nothing in the turn in which it is made. */
export class EventStream implements StreamOwner, OpenSource {
  readonly #options: EventStreamOptions
  readonly #reconnection: Reconnection
  readonly #headers: string[]
  #call: StreamCall

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#headers = [
      'content-type',
      'application/json',
      'accept',
      EVENT_STREAM,
      ...ruledHeaders(options.request.headers),
    ]
    this.#reconnection = new Reconnection({
      window: options.config.reconnectWindow,
      connect: () => this.#reconnect(),
      giveUp: ({ failure }) => {
        this.close()
        options.listener.failed(failure)
      },
    })
    this.#call = this.#connect()
  }

  get isReopening(): boolean {
    return this.#reconnection.wasOpen
  }

  answered(status: number): void {
    this.#options.attempts.ended(resultOfStatus(status))
  }

  opened(): void {
    const { events, request, listener } = this.#options
    if (!this.#reconnection.opened()) return
    events.reopened(request.subgraph)
    listener.reopened()
  }

  event(body: JsonObject, bytes: number): void {
    this.#options.listener.event(body, bytes)
  }

  completed(): void {
    this.#over()
    this.#options.listener.completed()
  }

  ended(fault: Fault): void {
    const { attempts, events, request, pool } = this.#options
    // A stream that only waited for a connection says nothing about the subgraph.
    const hasOnlyWaited = !this.#call.hasBegun && pool.value.isBusy
    attempts.ended(hasOnlyWaited ? 'unknown' : fault.result)
    events.lost(request.subgraph, fault)
    this.#reconnection.lost(fault)
  }

  close(): void {
    this.#call.close()
    this.#over()
  }

  #reconnect(): void {
    const { attempts, request } = this.#options
    if (attempts.begin()) this.#call = this.#connect()
    else this.#reconnection.lost(refusedByCircuit(request.subgraph))
  }

  #connect(): StreamCall {
    const { request, pool } = this.#options
    const { subgraph, url, body } = request
    const call = new StreamCall({ ...this.#options, subgraph, owner: this })
    // A pool may report at once that it cannot send the request.
    setImmediate(() => {
      if (call.isClosed) return
      try {
        const path = `${url.pathname}${url.search}`
        pool.value.dispatch({ path, method: 'POST', headers: this.#headers, body }, call)
      } catch (error) {
        call.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
      }
    })
    return call
  }

  #over(): void {
    this.#reconnection[Symbol.dispose]()
    this.#options.attempts[Symbol.dispose]()
    this.#options.pool[Symbol.dispose]()
  }
}
