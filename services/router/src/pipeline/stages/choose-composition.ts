/** The second stage: which composition answers, base or that of a feature flag. */
import type { RequestedFlag } from '../../flags/requested-flag.ts'
import type { HeldGeneration, Generations } from '../../generations/generations.ts'
import type { Exchange } from '../../request/exchange.ts'

/** The generations to choose from. */
export type ChoosingParts = { readonly generations: Generations }

/**
 * Chooses the composition for a request. The caller must release the generation that it gets. Returns a
 * promise only while the composition is being built; the promise rejects with HttpError if that takes too
 * long. Null if nothing is served yet.
 */
export function chooseComposition(
  { report }: Exchange,
  requested: RequestedFlag,
  { generations }: ChoosingParts,
): HeldGeneration | Promise<HeldGeneration> | null {
  report.enter('choose')
  report.flagRequested(requested)
  return generations.hold(requested)
}
