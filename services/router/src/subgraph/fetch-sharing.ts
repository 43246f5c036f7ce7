/**
 * Calls of subgraphs in flight that further fetches may join, because they would send the same: the same body
 * and headers to the same URL by the same right, whatever request, operation or composition they are made
 * for. The id of the request and the trace context are no part of that: subgraphs log them. Nothing is kept
 * of a call that is over.
 */
import { type InFlight, InFlightTable, type SharingKey } from '../sharing/in-flight-table.ts'
import { JOINABLE_PART } from '../sharing/request-sharing.ts'
import { keyItem } from '../sharing/sharing-key.ts'
import type { CallInFlight } from './call-in-flight.ts'

/** What the context of a fetch is made of. Its text is the body. */
export type FetchContext = {
  /** Of the endpoint that is called. */
  readonly target: string
  /** Names and values in turns, without the trace context. */
  readonly headers: readonly string[]
  /** Where in `headers` to begin. */
  readonly from: number
  /** As the client sent it, if it is handed on. */
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

/** The calls in flight of a router. */
export class FetchSharing {
  readonly isOn: boolean
  /** How many calls of mutations have ended. What began at another count is not joined. */
  readonly #mutations: { readonly ended: number }
  readonly #calls = new InFlightTable<Begun>()

  constructor(isOn: boolean, mutations: { readonly ended: number }) {
    this.isOn = isOn
    this.#mutations = mutations
  }

  /** null: nothing is in flight that can be joined. `timeout`: of the fetch, in milliseconds. */
  find(key: SharingKey, timeout: number): CallInFlight | null {
    const begun = this.#calls.find(key)
    if (begun === null || begun.mutations !== this.#mutations.ended) return null
    const { call } = begun
    return call.isFull || call.age > timeout * JOINABLE_PART ? null : call
  }

  /** From now on others can join the call, in place of one that could be joined before. */
  add(key: SharingKey, call: CallInFlight): JoinableCall {
    return this.#calls.add(key, { call, mutations: this.#mutations.ended })
  }

  /** Nobody can join the call any more. */
  remove(call: JoinableCall): void {
    this.#calls.remove(call)
  }
}
