/** A record of one probe's answer and its times. Times are milliseconds of one clock, `performance.now()`. */
import type { IncomingHttpHeaders } from 'node:http'

/** The largest body that is read. An answer to a probe is smaller, so more comes from something else. */
export const MAX_BYTES = 4 * 1024 * 1024

/** Bytes that came at the same time. */
export type Chunk = { readonly at: number; readonly bytes: Buffer }

/** An answer as it was received. */
export type Recording = {
  readonly status: number
  /** `1.0`, `1.1` or `2.0`. */
  readonly httpVersion: string
  readonly headers: IncomingHttpHeaders
  /** A time just before the request left. */
  readonly begunAt: number
  /** The chunks as they were received. */
  readonly chunks: readonly Chunk[]
  readonly end: {
    /** The kind of the end. `unfinished` means that the probe stopped waiting. */
    readonly kind: 'complete' | 'cut' | 'unfinished'
    readonly at: number
  }
}

/** A probe without an answer. */
export type ProbeFailure = {
  readonly kind: 'no-connection' | 'other-protocol' | 'timeout'
  readonly reason: string
}

/** A recording, or the reason why there is none. */
export type ProbeAnswer = { readonly kind: 'recorded'; readonly recording: Recording } | ProbeFailure
