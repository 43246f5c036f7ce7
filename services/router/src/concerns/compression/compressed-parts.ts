/**
 * An answer in parts, compressed by gzip. Each write is flushed: it comes out of the compressor at once and
 * whole, and clients that decompress what they have got can read it. Compressing does not wait for the client
 * to read, so that what waits for the client waits in its response, where it is counted.
 */
import type { ClientResponse } from '../../http/client-response.ts'
import type { PartSink } from '../../http/part-sink.ts'
import { createPartCompressor } from './coding-streams.ts'

/** The compressor ends with the response. */
export class CompressedParts implements PartSink {
  readonly #response: ClientResponse
  readonly #gzip = createPartCompressor()
  /** The client does not keep up. */
  #isFull = false
  #onDrain: (() => void) | null = null

  constructor(response: ClientResponse) {
    this.#response = response
    this.#gzip
      .on('data', (bytes: Uint8Array) => {
        if (!response.destroyed && !response.write(bytes)) this.#isFull = true
      })
      .on('end', () => void response.end())
      // Nothing that is written can be an error for gzip.
      .on('error', () => response.destroy())
      .on('drain', () => this.#drained())
    response.on('drain', () => {
      this.#isFull = false
      this.#drained()
    })
    response.once('close', () => this.#gzip.destroy())
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#gzip.writableEnded
  }

  begin(headers: Readonly<Record<string, string | string[]>>): void {
    this.#response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' })
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#gzip.write(chunk) && !this.#isFull
  }

  onceDrained(listener: () => void): void {
    this.#onDrain = listener
  }

  end(chunk: string): void {
    this.#gzip.end(chunk)
  }

  #drained(): void {
    if (this.#isFull || this.#gzip.writableNeedDrain) return
    const listener = this.#onDrain
    this.#onDrain = null
    listener?.()
  }
}
