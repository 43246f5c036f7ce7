/** What composes but is probably not meant. Codes are the ones that the federation documentation uses. */
import type { CompositionHint } from '../composition-result.ts'
import type { Located } from '../locations/place.ts'
import { differenceHints } from './differences.ts'
import { overrideHints } from './overrides.ts'

export function findHints(located: readonly Located[]): readonly CompositionHint[] {
  return [...located.flatMap((one) => overrideHints(one, located)), ...differenceHints(located)]
}
