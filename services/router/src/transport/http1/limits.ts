/**
 * Limits for the framing of a subgraph's answer, and for how long connections are kept. The size of a body is
 * limited by its receiver (`subgraphs.max_response_size`), and its time by the deadline of the call
 * (`subgraphs.timeout`).
 */

/**
 * Bytes of a status line with its header fields, and of the trailer fields of one answer. Node's default.
 */
export const MAX_HEAD_SIZE = 16 * 1024

/** Header fields of one answer. */
export const MAX_FIELDS = 250

/** Interim answers (status 1xx) that are passed over before the one that counts. */
export const MAX_INTERIM_ANSWERS = 10

/** Characters of the extensions of all chunks of one answer. */
export const MAX_EXTENSIONS = 16 * 1024

/** Hexadecimal digits of the size of a chunk: 13 make 4 PiB, which a double still holds exactly. */
export const MAX_CHUNK_DIGITS = 13

/** Decimal digits of `Content-Length`: 15 make a number that a double holds exactly. */
export const MAX_LENGTH_DIGITS = 15

/** How long a connection is kept whose server does not say how long it keeps it. Milliseconds. */
export const KEEP_ALIVE = 4000

/** How long a connection is kept at most, whatever its server says. Milliseconds. */
export const MAX_KEEP_ALIVE = 600_000

/**
 * How much earlier than the server the router ends a connection, so that no request meets the end of one
 * halfway. Milliseconds.
 */
export const KEEP_ALIVE_MARGIN = 2000

/** How often connections whose time is over are looked for, which are not used meanwhile. Milliseconds. */
export const SWEEP_INTERVAL = 1000

/** Bytes that are read from a connection at a time. */
export const READ_SIZE = 64 * 1024

/**
 * How long no connection is made after a Unix socket refused one because its queue was full. Milliseconds.
 */
export const FULL_QUEUE_PAUSE = 10
