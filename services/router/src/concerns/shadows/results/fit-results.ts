/** Cuts results to the length of one message: what was seen least is left out first. */
import { MAX_DIFFERENCES_LENGTH, type RolloutResults } from '@switchyard/contracts'

/** Characters for what a message has besides the results: names of the router, time and signature. */
const ENVELOPE = 2048

/**
 * Returns the results in the same order, together at most as long as a message may be. Each rollout gets an
 * equal share of the length.
 */
export function fitResults(all: readonly RolloutResults[]): RolloutResults[] {
  const share = Math.floor((MAX_DIFFERENCES_LENGTH - ENVELOPE) / Math.max(1, all.length))
  return all.map((results) => fitted(results, share))
}

function fitted(results: RolloutResults, length: number): RolloutResults {
  const { operations, differences, noise, leftOut, ...rest } = results
  const empty = { ...rest, operations: [], differences: [], noise: [], leftOut }
  let room = length - JSON.stringify(empty).length
  const taken = <Item>(items: readonly Item[], most: number): Item[] => {
    let part = most
    const kept: Item[] = []
    for (const item of items) {
      const size = JSON.stringify(item).length + 1
      if (size > part) break
      part -= size
      kept.push(item)
    }
    room -= most - part
    return kept
  }
  // What was found is told before how often it was looked for.
  const foundRows = taken(differences, room * 0.6)
  const foundOperations = taken(operations, room * 0.7)
  const foundNoise = taken(noise, room)
  const lost =
    differences.length -
    foundRows.length +
    (operations.length - foundOperations.length) +
    (noise.length - foundNoise.length)
  return {
    ...rest,
    operations: foundOperations,
    differences: foundRows,
    noise: foundNoise,
    leftOut: leftOut + lost,
  }
}
