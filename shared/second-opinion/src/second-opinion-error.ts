/**
 * The codes of errors without a second opinion. `meaning` begins their messages, and the others are their
 * rows of docs/errors.md.
 */
export const SECOND_OPINION_ERRORS = {
  OPINION_CRASHED: {
    meaning: 'The stitched gateway broke down over the operation, so there is no second opinion on it',
    happened: 'The stitching library broke down over the operation, in a way that ends its thread',
    remedy: 'The operation has no second opinion; the next one has again.',
  },
  OPINION_NOT_STITCHABLE: {
    meaning: 'This supergraph cannot be stitched, so there is no second opinion on it',
    happened: 'The stitching library cannot make a gateway from this supergraph',
    remedy: 'The message has its reason.',
  },
  OPINION_REFUSED: {
    meaning: 'The stitched schema does not accept the operation, so there is no second opinion on it',
    happened: 'The stitched schema does not accept the operation',
    remedy: 'Its schema differs from the client schema there; the message has the first validation error.',
  },
  OPINION_STALLED: {
    meaning: 'The stitched gateway never answers the operation, so there is no second opinion on it',
    happened: 'The stitched gateway waits for itself and will never answer',
    remedy: 'A known limit of stitching where inputs of `@requires` need a third subgraph.',
  },
}

/** A code of an error without a second opinion. */
export type SecondOpinionErrorCode = keyof typeof SECOND_OPINION_ERRORS

/** An error without a second opinion. It says nothing about the engine's answer. */
export class SecondOpinionError extends Error {
  readonly code: SecondOpinionErrorCode
  /** The message without what the code means. */
  readonly detail: string

  constructor(code: SecondOpinionErrorCode, detail: string, cause?: unknown) {
    super(`${SECOND_OPINION_ERRORS[code].meaning}: ${detail}`, { cause })
    this.name = 'SecondOpinionError'
    this.code = code
    this.detail = detail
  }
}
