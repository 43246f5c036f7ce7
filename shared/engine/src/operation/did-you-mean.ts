/**
 * Names that somebody may have meant, for messages. Bounded: nobody may make a server compare long names with
 * thousands.
 */

const MAX_LENGTH = 40
const MAX_OPTIONS = 500
const MAX_SHOWN = 5

/** ` Did you mean "a" or "b"?`, or nothing. */
export function suggestionOf(name: string, options: readonly string[]): string {
  if (name.length > MAX_LENGTH || options.length > MAX_OPTIONS) return ''
  const threshold = Math.floor(name.length * 0.4) + 1
  const near = options
    .map((option) => ({ option, distance: distance(name.toLowerCase(), option.toLowerCase(), threshold) }))
    .filter((candidate) => candidate.distance <= threshold)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SHOWN)
    .map(({ option }) => `"${option}"`)
  const last = near.pop()
  if (last === undefined) return ''
  return ` Did you mean ${near.length === 0 ? last : `${near.join(', ')} or ${last}`}?`
}

/** All before what `suggestionOf`, or graphql-js, added to a message. */
export function withoutSuggestion(message: string): string {
  const begin = message.lastIndexOf(' Did you mean ')
  return begin < 0 ? message : message.slice(0, begin)
}

/** Letters to insert, remove or replace; anything above `limit` if there are more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? limit + 1
}
