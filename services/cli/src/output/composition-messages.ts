/** Errors and hints of compositions, with the lines of the schemas that are known. */
import type { CompositionMessage } from '@switchyard/contracts'
import {
  printCompositionErrors,
  printCompositionHints,
  type PrintableSources,
  summariseErrors,
} from '@switchyard/composition/printing'
import type { Style } from './style.ts'

/** The errors, then how many were left out and how many there are. */
export function printErrors(
  { errors, errorCount }: { readonly errors: readonly CompositionMessage[]; readonly errorCount: number },
  sources: PrintableSources,
  style: Style,
): readonly string[] {
  const more = errorCount - errors.length
  return [
    printCompositionErrors(errors, sources, { style }),
    '',
    ...(more > 0 ? [`… and ${more} more errors.`] : []),
    `${summariseErrors(errors, errorCount)}.`,
  ]
}

/**
 * Hints that every answer repeats, also about compositions that a command does not change: somebody may see
 * too much.
 */
export function warningsIn(hints: readonly CompositionMessage[]): readonly CompositionMessage[] {
  return hints.filter(({ code }) => code === 'AUTHORIZATION_NOT_ENFORCED')
}

/** The hints as one text, or nothing when there are none. */
export function printHints(
  hints: readonly CompositionMessage[],
  sources: PrintableSources,
  style: Style,
): readonly string[] {
  return hints.length === 0 ? [] : [printCompositionHints(hints, sources, { style })]
}
