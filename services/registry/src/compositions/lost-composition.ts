import { problem, ProblemError } from '@switchyard/contracts'
import { BlobMissingError } from '@switchyard/event-log'

/** A composition is lost with its store, or when a log was imported without it. Throws what says so. */
export function lostComposition(error: unknown, graph: string, composition: string): never {
  if (!(error instanceof BlobMissingError)) throw error
  const text = `The composition ${composition} of federated graph "${graph}" is not kept any more.`
  throw new ProblemError(problem('NOT_FOUND', text), error)
}
