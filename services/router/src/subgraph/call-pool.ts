/**
 * How requests are sent to one origin. Two clients do that: our own for plain HTTP/1.1 (`http1/`), and
 * undici for everything else. Whoever calls does not notice which one it is.
 */
import type { Dispatcher } from 'undici'

/** A request to be sent. */
export type PoolRequest = {
  readonly path: string
  readonly method: 'POST'
  /** Names and values in turns. */
  readonly headers?: string[]
  readonly body: string
}

/** Is told what becomes of a request. */
export interface CallHandler extends Dispatcher.DispatchHandler {
  /**
   * In place of `onResponseData`, by our own client, for a body that arrived in one piece. `bytes` are
   * overwritten afterwards.
   */
  onWholeBody?(controller: Dispatcher.DispatchController, bytes: Buffer): void
}

/** The connections to one origin. */
export interface CallPool {
  /** `free`: connections on which nothing is in progress. */
  readonly stats: { readonly free: number }
  /** There are as many connections as there may be, and none of them can take a request. */
  readonly isBusy: boolean
  /**
   * Sends a request as soon as there is a connection for it, and tells `handler` what becomes of it: that it
   * begins (`onRequestStart`, with what gives it up), its answer in pieces, or an error. A request that was
   * begun to be sent is never sent again. What cannot be sent is told as an error, too.
   */
  dispatch(request: PoolRequest, handler: CallHandler): unknown
  /** Takes no further requests, and ends when those in progress and those that wait have ended. */
  close(): Promise<unknown>
  /** Gives up every request. */
  destroy(): Promise<unknown>
}
