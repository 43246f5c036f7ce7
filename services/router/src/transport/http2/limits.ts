/**
 * Limits for HTTP/2 connections to subgraphs, and for how long they are kept. Header fields and interim
 * answers have the limits of HTTP/1.1 (`http1/limits.ts`).
 */

/** Calls at a time on one connection, if the other side allows more. */
export const MAX_STREAMS = 1000

/** Bytes of one answer that may be on their way before the router has read them. */
export const STREAM_WINDOW = 256 * 1024

/** Bytes of all answers of a connection that may be on their way. */
export const CONNECTION_WINDOW = 8 * 1024 * 1024

/** Mebibytes that Node.js may keep for a connection: more than the windows let through. */
export const SESSION_MEMORY = 32

/** How long a connection without calls is kept. Milliseconds. */
export const IDLE = 60_000

/** How long the other side may take to say that it is there, before calls go elsewhere. Milliseconds. */
export const SILENT_AFTER = 250

/** How long after that the connection is closed if the other side still does not answer. Milliseconds. */
export const CLOSED_AFTER = 5000

/**
 * How often a call is sent again that the other side says it has not processed, or for which a connection was
 * made that ended before it took any call.
 */
export const MAX_REPEATS = 3

/** The first pause after a connection on which the other side has processed no call. Milliseconds. */
export const FIRST_PAUSE = 20

/** The longest pause after several such connections in a row. Milliseconds. */
export const LONGEST_PAUSE = 1000
