/** Errors of the composer. `code` is stable and explained in docs/errors.md. */
export abstract class ComposerError extends Error {
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** A record was written by something newer, or damaged. Skipping it would compose a state that nobody decided. */
export class RecordNotUnderstoodError extends ComposerError {
  override readonly code = 'RECORD_NOT_UNDERSTOOD'
  readonly subject: string
  readonly sequence: number

  constructor(subject: string, sequence: number, cause: unknown) {
    super(
      `The record at sequence ${sequence} of ${subject} cannot be understood: ${reasonOf(cause)}. Nothing after it is carried out. Expected: a record of this or an older version; upgrade this service.`,
      { cause },
    )
    this.subject = subject
    this.sequence = sequence
  }
}

/** The thread that composed ended by itself; most often it ran out of memory. */
export class WorkerCrashedError extends ComposerError {
  override readonly code = 'COMPOSITION_CRASHED'

  constructor(cause: unknown) {
    super(
      `The composition ended its worker thread: ${reasonOf(cause)}. Nothing was composed. The schemas may be too large for this composer's memory.`,
      { cause },
    )
  }
}

export class CompositionTimeoutError extends ComposerError {
  override readonly code = 'COMPOSITION_TIMEOUT'

  constructor(limitMs: number) {
    super(
      `The composition took longer than ${limitMs / 1000} s and was ended. Nothing was composed. Composing fewer subgraphs shows which one is expensive.`,
    )
  }
}

export class PoolClosedError extends ComposerError {
  override readonly code = 'COMPOSER_STOPPING'

  constructor() {
    super('The composer is stopping; this composition was not finished. The next one to start does it.')
  }
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
