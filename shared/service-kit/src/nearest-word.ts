/** The known word that a misspelt one is nearest to; null when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  // What is far longer than every known word is none of them, and not worth the table.
  const candidates = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 2)
    .map((candidate) => ({ candidate, distance: distanceBetween(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((one, other) => one.distance - other.distance)
  return candidates[0]?.candidate ?? null
}

/**
 * Letters inserted, removed, replaced or swapped with their neighbour (optimal string alignment distance:
 * https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance).
 */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = i > 1 && j > 1 && isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
