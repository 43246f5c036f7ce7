/** The second stage: which composition answers, base or that of a feature flag. */
import type { RouterConfig } from '../config/router-config.ts'
import { requestedFlag } from '../flags/requested-flag.ts'
import type { Admission, Generations } from '../generations/generations.ts'
import type { Exchange } from './exchange.ts'

/** What compositions are chosen from. */
export type ChoosingParts = { readonly config: RouterConfig; readonly generations: Generations }

/**
 * Whoever gets the admission releases its generation. A promise only while the composition is being built,
 * which rejects with HttpError if that takes too long; null: nothing is served yet.
 */
export function chooseComposition(
  { request, report }: Exchange,
  { config, generations }: ChoosingParts,
): Admission | Promise<Admission> | null {
  report.enter('choose')
  const requested = requestedFlag(request.headers, config.flags.cookie)
  report.flagRequested(requested)
  return generations.admit(requested)
}
