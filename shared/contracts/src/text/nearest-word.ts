/**
 * Guesses which name was meant by a misspelt one. Strangers choose the name, and perhaps the known ones, so
 * the work is bounded: few candidates of about the same length, and a table that is given up beyond few
 * edits.
 */

/** Most known words that are compared. With names of 100 letters, all of them together take some 10 ms. */
const MOST_CANDIDATES = 1000
const MOST_EDITS = 4

/** The known word that a misspelt one is nearest to; null when none is near. */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  let nearest: string | null = null
  let least = MOST_EDITS + 1
  let candidates = 0
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > 2) continue
    candidates += 1
    if (candidates > MOST_CANDIDATES) break
    const allowed = Math.min(least - 1, Math.max(1, Math.floor(candidate.length / 3)))
    const distance = distanceWithin(allowed, word, candidate)
    if (distance === null) continue
    nearest = candidate
    least = distance
    if (least === 0) break
  }
  return nearest
}

/** ` Did you mean "shop"?` with a space before it, or nothing. `known`: names that the reader may see. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const nearest = nearestWord(word, known)
  return nearest === null || nearest === word ? '' : ` Did you mean "${nearest}"?`
}

/**
 * Letters inserted, removed, replaced or swapped with their neighbour (optimal string alignment distance:
 * https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance); null if it is more than `limit`. Only cells of
 * the table are worked out that are at most `limit` away from its diagonal.
 */
function distanceWithin(limit: number, one: string, other: string): number | null {
  const far = limit + 1
  const cell = (row: readonly number[], index: number): number => row[index] ?? far
  let before: number[] = []
  let row = Array.from({ length: Math.min(other.length, limit) + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next: number[] = []
    if (i <= limit) next[0] = i
    let least = cell(next, 0)
    for (let j = Math.max(1, i - limit); j <= Math.min(other.length, i + limit); j += 1) {
      const replaced = cell(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? cell(before, j - 2) + 1 : far
      const distance = Math.min(replaced, swapped, cell(row, j) + 1, cell(next, j - 1) + 1)
      next[j] = distance
      least = Math.min(least, distance)
    }
    if (least > limit) return null
    before = row
    row = next
  }
  const distance = cell(row, other.length)
  return distance > limit ? null : distance
}
