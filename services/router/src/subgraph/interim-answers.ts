/**
 * Passes interim answers (status 1xx; RFC 9110, section 15.2) over. Undici tells its handlers of each, as if
 * it were the answer, and takes any number of them: a subgraph that sends nothing else would keep the router
 * reading as fast as it can until the time limit of the call.
 */
import type { Dispatcher } from 'undici'
import { MalformedAnswerError } from './http1/connection-errors.ts'
import { MAX_INTERIM_ANSWERS } from './http1/limits.ts'

type Told = Required<Dispatcher.DispatchHandler>

/** Tells `handler` of the final answer only. */
export class FinalAnswerHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  #interim = 0

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  onRequestStart(...told: Parameters<Told['onRequestStart']>): void {
    this.#handler.onRequestStart?.(...told)
  }

  onBodySent(...told: Parameters<Told['onBodySent']>): void {
    this.#handler.onBodySent?.(...told)
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.()
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.()
  }

  onResponseStart(...told: Parameters<Told['onResponseStart']>): void {
    const [controller, status] = told
    if (status >= 200) this.#handler.onResponseStart?.(...told)
    else if (++this.#interim > MAX_INTERIM_ANSWERS)
      controller.abort(
        new MalformedAnswerError(`comes after more than ${MAX_INTERIM_ANSWERS} interim answers`),
      )
  }

  onResponseData(...told: Parameters<Told['onResponseData']>): void {
    this.#handler.onResponseData?.(...told)
  }

  onResponseEnd(...told: Parameters<Told['onResponseEnd']>): void {
    this.#handler.onResponseEnd?.(...told)
  }

  onResponseError(...told: Parameters<Told['onResponseError']>): void {
    this.#handler.onResponseError?.(...told)
  }
}
