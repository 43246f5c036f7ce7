/** Hands the events of one request on to another handler. Subclasses override the events they deal with. */
import type { ReceivedHeaders, CallController, CallHandler } from './call-pool.ts'

export class ForwardingHandler implements CallHandler {
  readonly #handler: CallHandler

  constructor(handler: CallHandler) {
    this.#handler = handler
  }

  onRequestStart(controller: CallController): void {
    this.#handler.onRequestStart(controller)
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.()
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.()
  }

  onResponseStart(controller: CallController, status: number, headers: ReceivedHeaders): void {
    this.#handler.onResponseStart(controller, status, headers)
  }

  onResponseData(controller: CallController, chunk: Buffer): void {
    this.#handler.onResponseData(controller, chunk)
  }

  onResponseEnd(controller: CallController, trailers: ReceivedHeaders): void {
    this.#handler.onResponseEnd(controller, trailers)
  }

  onResponseError(controller: CallController | null, error: Error): void {
    this.#handler.onResponseError(controller, error)
  }
}
