/** A line per composition: which, and what became of it. */
import { compositionLabel, type GraphVariant } from './graph-variant.ts'
import type { Style } from './style.ts'

/** A line for each composition, with names padded to the same width. */
export function statusLines<Composition extends GraphVariant>(
  compositions: readonly Composition[],
  statusOf: (composition: Composition) => string,
): readonly string[] {
  const labels = compositions.map(compositionLabel)
  const width = Math.max(0, ...labels.map((label) => label.length))
  return compositions.map(
    (composition, index) => `  ${(labels[index] ?? '').padEnd(width)}  ${statusOf(composition)}`,
  )
}

/** The word for a composition that failed, and whether it did so before. */
export function failureStatus(failedBefore: boolean, style: Style): string {
  return failedBefore ? style.yellow('failed before, unchanged') : style.red('failed')
}
