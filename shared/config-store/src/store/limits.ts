/**
 * The largest values that a reader takes from a store; what is written stays below them. Bytes, unless they
 * say otherwise.
 */
import { MAX_MANIFEST_BYTES } from '@switchyard/contracts'

export const MAX_SIGNATURE_BYTES = 4096
/** The digits of an epoch or a revision. */
export const MAX_NUMBER_BYTES = 15
/** An entry of the history: two numbers and a colon. */
export const MAX_HISTORY_ENTRY_BYTES = 2 * MAX_NUMBER_BYTES + 1
/**
 * Most bytes of a directory store's files: base64 of the manifest with its signature, and a history with its
 * names.
 */
export const MAX_MANIFEST_FILE_BYTES = Math.ceil(MAX_MANIFEST_BYTES / 3) * 4 + MAX_SIGNATURE_BYTES + 1024
export const MAX_HISTORY_FILE_BYTES = 64 * 1024
/** A number: further artifacts, or pieces, of a graph are listed when these are gone. */
export const MAX_LISTED = 10_000
