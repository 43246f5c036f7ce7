/** Which labels of progressive overrides are active in the supergraph that a command works on. */
import { didYouMean } from '@switchyard/contracts'
import { LocalRefusal, UsageError } from '../run/errors.ts'
import type { SupergraphText } from './supergraph-source.ts'

/**
 * The labels that are given, and the name of the flag whose composition it is, as in a router. `known` are
 * the labels of the supergraph. Throws a LocalRefusal for a label that it does not have, and a UsageError for
 * one of another flag.
 */
export function activeLabels(
  given: readonly string[],
  known: readonly string[],
  { file, flag, flags }: Omit<SupergraphText, 'sdl'>,
): ReadonlySet<string> {
  for (const label of given) {
    if (flags.includes(label) && label !== flag)
      throw new UsageError(
        `The label "${label}" is the name of a feature flag, and active in its composition alone: choose that with --flag ${label}.`,
      )
    if (known.includes(label)) continue
    const holds = known.length === 0 ? 'it has none' : `it has: ${known.join(', ')}`
    throw new LocalRefusal(
      'NOT_FOUND',
      `No override in ${file} has the label "${label}" (${holds}).${didYouMean(label, known)}`,
    )
  }
  return new Set(flag !== null && known.includes(flag) ? [...given, flag] : given)
}
