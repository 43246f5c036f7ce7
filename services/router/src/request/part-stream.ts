/** The way of an incremental response to its client, whatever protocol the client speaks. */

/** The version of the incremental delivery format that this router writes. */
export const FORMAT = 'v0.2'

/** Takes the parts of one response, in the form of one protocol of clients. */
export interface PartStream {
  /** The number of parts so far. */
  readonly parts: number
  /**
   * Writes a part as JSON, as text or in pieces of UTF-8. Nothing may be written after the last one.
   */
  write(json: string | readonly Uint8Array[], isLast: boolean): void
}

/** Makes the parts. It is told when the client does not keep up, and when it does again. */
export type PartFlow = { pause(): void; resume(): void }
