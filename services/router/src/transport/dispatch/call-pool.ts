/**
 * Sends requests to one origin, by HTTP/1.1 (`http1/`) or by HTTP/2 (`http2/`). A caller does not notice
 * which of them it uses.
 */

import type { BodySource } from '../../http/body-source.ts'

/** A request to be sent. */
export type PoolRequest = {
  readonly path: string
  readonly method: 'POST'
  /** Names and values alternately. */
  readonly headers?: string[]
  readonly body: string | BodySource
}

/** Controls one request. */
export interface CallController {
  readonly aborted: boolean
  /** The reason for which the request was given up; null if it was not. */
  readonly reason: Error | null
  readonly paused: boolean
  /** Reads no further bytes of the answer until `resume` is called. */
  pause(): void
  resume(): void
  /** Gives the request up. */
  abort(reason: Error): void
}

/** The headers of an answer, by lower-case name. A header that came several times is a list. */
export type ReceivedHeaders = Record<string, string | string[] | undefined>

/** Receives the events of one request. */
export interface CallHandler {
  /** The request has a connection, and is about to be sent. */
  onRequestStart(controller: CallController): void
  onResponseStart(controller: CallController, status: number, headers: ReceivedHeaders): void
  onResponseData(controller: CallController, chunk: Buffer): void
  /**
   * Called instead of `onResponseData` for a body that arrived in one piece over HTTP/1.1. `bytes` are
   * overwritten after it returns.
   */
  onWholeBody?(controller: CallController, bytes: Buffer): void
  onResponseEnd(controller: CallController, trailers: ReceivedHeaders): void
  /** The request failed. `controller` is null if it had no connection. */
  onResponseError(controller: CallController | null, error: Error): void
  /** The request was sent whole. */
  onRequestSent?(): void
  /** The first byte of an answer arrived, of an interim one as well. */
  onResponseStarted?(): void
}

/** A handler for requests whose events interest nobody. */
export const NO_EVENTS: CallHandler = {
  onRequestStart: () => {},
  onResponseStart: () => {},
  onResponseData: () => {},
  onResponseEnd: () => {},
  onResponseError: () => {},
}

/** Hands on a body that arrived in one piece, which is copied if the handler has no method for it. */
export function handOnBody(handler: CallHandler, controller: CallController, bytes: Buffer): void {
  if (handler.onWholeBody === undefined) handler.onResponseData(controller, Buffer.from(bytes))
  else handler.onWholeBody(controller, bytes)
}

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
