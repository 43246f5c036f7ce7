/** Errors of the composer. `code` is stable and explained in docs/errors.md. */
import { reasonOf } from '@switchyard/service-kit'

export abstract class ComposerError extends Error {
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
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
