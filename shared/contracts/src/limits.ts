/**
 * Limits and versions of what services exchange. A thread imports them as `@switchyard/contracts/limits`, and
 * so loads no schemas.
 */

/** The version of the form of artifacts and manifests. */
export const EXECUTION_CONFIG_FORMAT = 1
/** The version of the form of artifacts in pieces. */
export const PIECES_FORMAT = 2
/** Most chunks of an artifact in pieces. Their bytes are at most those of an artifact. */
export const MAX_CHUNKS = 4096
/** Most subgraphs that the list of an artifact's chunks names. */
export const MAX_LISTED_SUBGRAPHS = 10_000
/** Most bytes of the list of an artifact's chunks, before it is gzipped. */
export const MAX_PIECE_LIST_BYTES = 1024 * 1024
/** Most bytes of an artifact before it is gzipped. */
export const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024
/** Most bytes of a gzipped artifact. Bytes that cannot be compressed become longer by 5 in 16 KiB. */
export const MAX_PACKED_ARTIFACT_BYTES = MAX_ARTIFACT_BYTES + 64 * 1024
/** Most bytes of a manifest's text. It travels in a record of the log, which is no longer. */
export const MAX_MANIFEST_BYTES = 256 * 1024
/** Most errors of a composition that its record has, and most hints. */
export const MAX_INLINE_ERRORS = 20
