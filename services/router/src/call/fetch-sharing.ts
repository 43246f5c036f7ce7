/**
 * Keeps the calls of subgraphs in flight that further fetches may join, because they would send the same: the
 * same body and headers to the same URL with the same credentials, whatever request, operation or composition
 * they are made for. The id of the request and the trace context do not count, since subgraphs only log them.
 * Nothing is kept of a call that is over.
 */
import { type InFlight, InFlightTable, type SharingKey } from '../concerns/sharing/in-flight-table.ts'
import { JOINABLE_PART } from '../concerns/sharing/request-sharing.ts'
import { keyItem } from '../concerns/sharing/sharing-key.ts'
import type { CallInFlight } from './in-flight/call-in-flight.ts'

/** The parts that make up the context of a fetch. Its text is the body. */
export type FetchContext = {
  /** The target of the endpoint that is called. */
  readonly target: string
  /** Names and values alternately, without the trace context. */
  readonly headers: readonly string[]
  /** The index in `headers` at which to begin. */
  readonly from: number
  /** The `baggage` header of the client, if it is handed on. */
  readonly baggage: string | null
}

export function fetchContext({ target, headers, from, baggage }: FetchContext): string {
  let context = target + keyItem(baggage ?? undefined)
  for (let index = from; index < headers.length; index++) context += keyItem(headers[index])
  return context
}

type Begun = { readonly call: CallInFlight; readonly mutations: number }

/** A call that others can join. */
export type JoinableCall = InFlight<Begun>

/** The calls of a router that are in flight. */
export class FetchSharing {
  readonly isOn: boolean
  /** Counts the calls of mutations that have ended. A call that began at another count is not joined. */
  readonly #mutations: { readonly ended: number }
  readonly #calls = new InFlightTable<Begun>()

  constructor(isOn: boolean, mutations: { readonly ended: number }) {
    this.isOn = isOn
    this.#mutations = mutations
  }

  /**
   * Returns a call that the fetch can join, or null if there is none. `timeout` is the one of the fetch, in
   * milliseconds.
   */
  find(key: SharingKey, timeout: number): CallInFlight | null {
    const begun = this.#calls.find(key)
    if (begun === null || begun.mutations !== this.#mutations.ended) return null
    const { call } = begun
    return call.isFull || call.age > timeout * JOINABLE_PART ? null : call
  }

  /** Lets others join the call from now on. It replaces a call with the same key. */
  add(key: SharingKey, call: CallInFlight): JoinableCall {
    return this.#calls.add(key, { call, mutations: this.#mutations.ended })
  }

  /** Lets nobody join the call any more. */
  remove(call: JoinableCall): void {
    this.#calls.remove(call)
  }
}
