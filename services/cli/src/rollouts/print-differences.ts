/** Prints what was compared of the answers of a rollout's flag. */
import type { RolloutDifferences } from '@switchyard/contracts'
import { printableLine } from '@switchyard/service-kit/printable'

/** Paths of noise that are listed. */
const MOST_NOISE = 20

/** Returns lines about all operations together. */
export function printComparisons({
  routers,
  operations,
  noise,
  dropped,
  leftOut,
}: RolloutDifferences): readonly string[] {
  if (routers === 0)
    return ['No router has told results yet: they come with the first requests that are compared.']
  const sum = (of: (operation: RolloutDifferences['operations'][number]) => number): number =>
    operations.reduce((all, operation) => all + of(operation), 0)
  const compared = sum((one) => one.compared)
  const reasons = new Map<string, number>()
  for (const { notComparable } of operations)
    for (const [reason, count] of Object.entries(notComparable))
      reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  const counts = [
    `${sum((one) => one.equal)} equal`,
    `${sum((one) => one.reordered)} equal but for their order`,
    `${sum((one) => one.different)} different`,
    `${sum((one) => one.slower)} clearly slower`,
  ]
  const unanswerable = sum((one) => one.unanswerable)
  return [
    `${compared} answers of ${operations.length} ${operations.length === 1 ? 'operation' : 'operations'} were compared: ${counts.join(', ')}.`,
    ...(compared === 0
      ? []
      : [
          `Base took ${meanOf(
            sum((one) => one.baseMs),
            compared,
          )} on average, and the flag ${meanOf(
            sum((one) => one.flagMs),
            compared,
          )}.`,
        ]),
    ...(unanswerable === 0 ? [] : [`${unanswerable} requests cannot be answered by the flag at all.`]),
    ...(reasons.size === 0
      ? []
      : [
          `Not comparable: ${[...reasons].map(([reason, count]) => `${count} ${printableLine(reason)}`).join(', ')}.`,
        ]),
    ...(dropped === 0 ? [] : [`${dropped} samples were dropped, since routers had other things to do.`]),
    ...noise
      .slice(0, MOST_NOISE)
      .map(
        ({ operation, path }) =>
          `Noise, since base differs from itself there: ${printableLine(operation)} ${printableLine(path === '' ? '(the whole answer)' : path)}`,
      ),
    ...(noise.length > MOST_NOISE ? [`${noise.length - MOST_NOISE} more paths are noise.`] : []),
    ...(leftOut === 0 ? [] : [`${leftOut} operations and paths are not listed, since there are too many.`]),
  ]
}

function meanOf(milliseconds: number, count: number): string {
  return `${(milliseconds / count).toFixed(1)} ms`
}
