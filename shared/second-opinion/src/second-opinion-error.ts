export type SecondOpinionErrorCode =
  | 'OPINION_NOT_STITCHABLE'
  | 'OPINION_REFUSED'
  | 'OPINION_STALLED'
  | 'OPINION_CRASHED'

const MEANING: Readonly<Record<SecondOpinionErrorCode, string>> = {
  OPINION_NOT_STITCHABLE: 'This supergraph cannot be stitched, so there is no second opinion on it',
  OPINION_REFUSED: 'The stitched schema does not accept the operation, so there is no second opinion on it',
  OPINION_STALLED: 'The stitched gateway never answers the operation, so there is no second opinion on it',
  OPINION_CRASHED: 'The stitched gateway broke down over the operation, so there is no second opinion on it',
}

/** An error without a second opinion. It says nothing about the engine's answer. */
export class SecondOpinionError extends Error {
  readonly code: SecondOpinionErrorCode
  /** The message without what the code means. */
  readonly detail: string

  constructor(code: SecondOpinionErrorCode, detail: string, cause?: unknown) {
    super(`${MEANING[code]}: ${detail}`, { cause })
    this.name = 'SecondOpinionError'
    this.code = code
    this.detail = detail
  }
}
