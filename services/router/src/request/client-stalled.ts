import type { StallLimit } from '../observe/request-summary.ts'

/** `errored` of a response that was ended because its client did not read it, or not fast enough. */
export class ClientStalledError extends Error {
  override readonly name = 'ClientStalledError'
  /** The setting that ended it. */
  readonly limit: StallLimit

  constructor(limit: StallLimit, message: string) {
    super(message)
    this.limit = limit
  }
}

/** The client read nothing for so many milliseconds. */
export function readNothing(milliseconds: number): ClientStalledError {
  return new ClientStalledError(
    'traffic.write_timeout',
    `The client read nothing of its answer for ${milliseconds} ms.`,
  )
}

/**
 * The error for a client whose unsent answers must be given up: all clients together have more than the
 * limit.
 */
export function slowestReaderError(): ClientStalledError {
  return new ClientStalledError(
    'traffic.max_unsent_size',
    'More answers wait to be read than there is room for, and this client reads slowest.',
  )
}
