/** The second stage: which composition answers, base or that of a feature flag. */
import type { RequestedFlag } from '../flags/requested-flag.ts'
import type { Admission, Generations } from '../generations/generations.ts'
import type { Exchange } from './exchange.ts'

/** What compositions are chosen from. */
export type ChoosingParts = { readonly generations: Generations }

/**
 * Whoever gets the admission releases its generation. A promise only while the composition is being built,
 * which rejects with HttpError if that takes too long; null: nothing is served yet.
 */
export function chooseComposition(
  { report }: Exchange,
  requested: RequestedFlag,
  { generations }: ChoosingParts,
): Admission | Promise<Admission> | null {
  report.enter('choose')
  report.flagRequested(requested)
  return generations.admit(requested)
}
