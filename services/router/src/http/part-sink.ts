/** Writes the bytes of an answer in parts. */
import type { ClientResponse } from './client-response.ts'

/** Takes the bytes of an answer in parts. */
export interface PartSink {
  /** True if nothing can be written any more. */
  readonly isOver: boolean
  /** Sends the headers. Has to be called once, before anything is written. */
  begin(headers: Readonly<Record<string, string | string[]>>): void
  /** Writes some bytes. Returns false if the client does not keep up. */
  write(chunk: string | Uint8Array): boolean
  /** Calls the listener when the client keeps up again. */
  onceDrained(listener: () => void): void
  /** Writes the last text. */
  end(chunk: string): void
}

/** Writes to a response without compression. */
export class PlainParts implements PartSink {
  readonly #response: ClientResponse

  constructor(response: ClientResponse) {
    this.#response = response
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  begin(headers: Readonly<Record<string, string | string[]>>): void {
    this.#response.writeHead(200, headers)
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#response.write(chunk)
  }

  onceDrained(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  end(chunk: string): void {
    this.#response.end(chunk)
  }
}
