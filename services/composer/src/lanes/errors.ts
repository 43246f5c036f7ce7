/** Errors of the composer. `code` is stable and explained in docs/errors.md. */
import { messageOf } from '@switchyard/values'

export abstract class ComposerError extends Error {
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/**
 * A composition that ended without a result: the graph's record says so, and what was composed before stays
 * in force.
 */
export abstract class CompositionEndedError extends ComposerError {}

/** The thread that composed ended by itself. */
export class WorkerCrashedError extends CompositionEndedError {
  override readonly code = 'COMPOSITION_CRASHED'

  constructor(cause: unknown) {
    super(
      `The composition ended its worker thread: ${messageOf(cause)}. Nothing was composed. Composing fewer subgraphs shows which one is the reason.`,
      { cause },
    )
  }
}

export class OutOfMemoryError extends CompositionEndedError {
  override readonly code = 'COMPOSITION_OUT_OF_MEMORY'

  constructor(limitMb: number, cause: unknown) {
    super(
      `The composition needed more than ${limitMb} MiB of memory and was ended. Nothing was composed; what was composed before stays in force. Composing fewer subgraphs shows which one is expensive; SWITCHYARD_COMPOSER_MEMORY of the composer is the limit.`,
      { cause },
    )
  }
}

export class CpuBudgetExceededError extends CompositionEndedError {
  override readonly code = 'COMPOSITION_BUDGET_EXCEEDED'

  constructor(
    budgetMs: number,
    subgraphs: readonly { readonly name: string; readonly sdl: { readonly byteLength: number } }[],
  ) {
    const largest = subgraphs
      .toSorted((one, other) => other.sdl.byteLength - one.sdl.byteLength)
      .slice(0, NAMED)
      .map(({ name, sdl }) => `"${name}" (${Math.ceil(sdl.byteLength / 1024)} KiB)`)
    super(
      `The composition used more than ${budgetMs / 1000} s of CPU and was ended. Nothing was composed; what was composed before stays in force. Composing fewer subgraphs shows which one is expensive; the largest are ${largest.join(', ')}. SWITCHYARD_COMPOSER_CPU_BUDGET of the composer is the limit.`,
    )
  }
}

/** The largest number of subgraphs that a message names. */
const NAMED = 3

export class CompositionTimeoutError extends CompositionEndedError {
  override readonly code = 'COMPOSITION_TIMEOUT'

  constructor(silentMs: number) {
    super(
      `The thread of the composition did not answer for ${silentMs / 1000} s and was ended. Nothing was composed. Composing fewer subgraphs shows which one is the reason.`,
    )
  }
}

export class ComposerStoppingError extends ComposerError {
  override readonly code = 'COMPOSER_STOPPING'

  constructor() {
    super('The composer is stopping; this composition was not finished. The next one to start does it.')
  }
}

/** Nobody waits for the composition any more. This is part of normal work and is reported to nobody. */
export class SupersededError extends ComposerError {
  override readonly code = 'COMPOSITION_SUPERSEDED'

  constructor() {
    super('The composition was ended, as a newer one of the same graph takes its place.')
  }
}
