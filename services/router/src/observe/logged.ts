/** Limits how much of a text goes into a log line. */

/** Characters of a text that clients may make as long as they like. */
export const MAX_LOGGED = 100
/** Enough of a hash to tell it from others. */
export const MAX_HASH = 12
