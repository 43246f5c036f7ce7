/**
 * One connection of `GET /v1/live`.
 *
 * Events wait here until the client takes them, and are sent together. A newer event replaces an older one of
 * the same key, so that a slow client gets less, and not everything late. Changes have keys of their own and
 * are never left out: a client that leaves too much waiting is cut off, and asks for them when it is back.
 */
import { Readable } from 'node:stream'
import type { ReadableRecords } from '../keys/readable-records.ts'
import { type LiveFrame, retryAfter } from './live-frame.ts'

/** Characters that may wait for a client, which are bytes: names are ASCII. */
const MOST_WAITING = 1024 * 1024
/** Characters that are handed over at once. */
const MOST_AT_ONCE = 64 * 1024
/** Clients that are sent away come back at different moments within this time. */
const BACK_WITHIN_MS = { least: 1000, most: 5000 }

export type LiveStreamOptions = {
  readonly reader: ReadableRecords
  /** Whether the caller is still known, and may read what it might at the start. Never rejects. */
  readonly mayGoOn: () => Promise<boolean>
}

export class LiveStream extends Readable {
  /** The namespaces that the caller may read. */
  readonly reader: ReadableRecords
  readonly #mayGoOn: () => Promise<boolean>
  readonly #waiting = new Map<string, string>()
  #length = 0
  #isAsked = false
  #isSending = false
  #isOver = false

  constructor({ reader, mayGoOn }: LiveStreamOptions) {
    super({ highWaterMark: 1 })
    this.reader = reader
    this.#mayGoOn = mayGoOn
  }

  /** Adds an event, which is sent by `send`, or as soon as the client takes more. */
  tell({ key, text }: LiveFrame): void {
    if (this.#isOver) return
    this.#length += text.length - (this.#waiting.get(key)?.length ?? 0)
    // It goes to the end, behind the changes that its id counts as told.
    this.#waiting.delete(key)
    this.#waiting.set(key, text)
    if (this.#length > MOST_WAITING) this.destroy()
  }

  /** Sends what waits, if the client takes it. Ends the stream if the caller may not read it any more. */
  async send(): Promise<void> {
    if (this.#isSending || this.#isOver) return
    this.#isSending = true
    const mayGoOn = await this.#mayGoOn()
    this.#isSending = false
    if (this.#isOver) return
    if (!mayGoOn) {
      this.#waiting.clear()
      this.finish()
    } else if (this.#isAsked && this.#waiting.size > 0) {
      this.#isAsked = false
      this.push(this.#take(MOST_AT_ONCE))
    }
  }

  /**
   * Ends the stream after everything that waits, and tells the client when to come back. One that takes
   * nothing now is cut off, so that it holds up nobody who waits for the end.
   */
  finish(): void {
    if (this.#isOver) return
    if (!this.#isAsked) return void this.destroy()
    this.#isOver = true
    const { least, most } = BACK_WITHIN_MS
    const rest = this.#take(Number.POSITIVE_INFINITY)
    this.push(rest + retryAfter(least + Math.random() * (most - least)))
    this.push(null)
  }

  override _read(): void {
    this.#isAsked = true
    if (this.#waiting.size > 0) void this.send()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#isOver = true
    this.#waiting.clear()
    done(error)
  }

  #take(most: number): string {
    let taken = ''
    for (const [key, text] of this.#waiting) {
      if (taken.length >= most) break
      taken += text
      this.#waiting.delete(key)
    }
    this.#length -= taken.length
    return taken
  }
}
