/**
 * Sends requests to one origin. Our own clients do it for plain HTTP/1.1 (`http1/`) and for HTTP/2
 * (`http2/`), and undici does it for the rest. A caller does not notice which of them it uses.
 */
import type { Dispatcher } from 'undici'

/** A request to be sent. */
export type PoolRequest = {
  readonly path: string
  readonly method: 'POST'
  /** Names and values alternately. */
  readonly headers?: string[]
  readonly body: string
}

/** Receives the events of one request. */
export interface CallHandler extends Dispatcher.DispatchHandler {
  /**
   * Called by our own client instead of `onResponseData`, for a body that arrived in one piece. `bytes` are
   * overwritten after it returns.
   */
  onWholeBody?(controller: Dispatcher.DispatchController, bytes: Buffer): void
}

/** The events that an attempt reports. */
export type AttemptHandler = Required<
  Pick<
    CallHandler,
    | 'onRequestStart'
    | 'onResponseStart'
    | 'onResponseData'
    | 'onWholeBody'
    | 'onResponseEnd'
    | 'onResponseError'
  >
>

/** The connections to one origin. */
export interface CallPool {
  /** `free` counts the connections without a request in progress. */
  readonly stats: { readonly free: number }
  /** True if there are as many connections as allowed, and none of them can take a request. */
  readonly isBusy: boolean
  /**
   * Sends a request as soon as there is a connection for it. `handler` learns when it begins
   * (`onRequestStart`, with a controller that can give it up), and gets its answer in pieces, or an error. A
   * request that has begun to be sent is never sent again. A request that cannot be sent is reported as an
   * error, too.
   */
  dispatch(request: PoolRequest, handler: CallHandler): unknown
  /** Takes no further requests, and ends when those in progress and those that wait have ended. */
  close(): Promise<unknown>
  /** Gives up every request. */
  destroy(): Promise<unknown>
}
