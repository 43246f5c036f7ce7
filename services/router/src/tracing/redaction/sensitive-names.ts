/**
 * Which names of members, arguments and variables tell that the value is not for everyone.
 *
 * Names are cut into words at `_`, `-`, other signs, digits and changes of case, and compared without case: `apikey` is
 * found in `apiKey`, `X-API-Key` and `api_key_2`. A listed name has to be one or more whole words, or their plural:
 * `userPassword` and `accessTokens` are hit, `tokenizer` and `cardinality` are not. What nobody marked as two words, such as
 * `accesstoken`, is hit by listed names of five letters or more at its end; shorter ones would also hit `discard`.
 */
export type NameTest = (name: string) => boolean

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}]+|\p{N}+/gu
const SHORTEST_ENDING = 5
/** Names come from clients too: what is remembered of them must have an end. */
const REMEMBERED = 10_000

export function sensitiveNames(listed: readonly string[]): NameTest {
  const wanted = new Set(listed.map((name) => wordsOf(name).join('')).filter((name) => name !== ''))
  const longest = Math.max(0, ...[...wanted].map((name) => name.length)) + 1
  const shortest = Math.min(...[...wanted].map((name) => name.length))
  const endings = [...wanted].filter((name) => name.length >= SHORTEST_ENDING)
  const isWanted = (name: string) => wanted.has(name) || (name.endsWith('s') && wanted.has(name.slice(0, -1)))
  const endsWanted = (word: string) =>
    endings.some((ending) => word.endsWith(ending) || word.endsWith(`${ending}s`))

  const decide: NameTest = (name) => {
    const words = wordsOf(name)
    if (words.some(endsWanted)) return true
    return words.some((_, start) => {
      let joined = ''
      for (const word of words.slice(start)) {
        joined += word
        if (joined.length > longest) return false
        if (joined.length >= shortest && isWanted(joined)) return true
      }
      return false
    })
  }
  if (wanted.size === 0) return () => false
  const decided = new Map<string, boolean>()
  return (name) => {
    const known = decided.get(name)
    if (known !== undefined) return known
    const answer = name.length <= MAX_NAME_LENGTH && decide(name)
    if (decided.size >= REMEMBERED) decided.clear()
    decided.set(name, answer)
    return answer
  }
}

/** Longer ones are data that was made a key. */
const MAX_NAME_LENGTH = 256

function wordsOf(name: string): readonly string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase())
}
