/**
 * Which names of members, arguments and variables tell that the value is not for everyone.
 *
 * Names are cut into words at `_`, `-`, other signs, digits and changes of case, and compared without case:
 * `apikey` is found in `apiKey`, `X-API-Key` and `api_key_2`. A listed name has to be one or more whole
 * words, or their plural: `userPassword` and `accessTokens` are hit, `tokenizer` and `cardinality` are not.
 * What nobody marked as two words, such as `accesstoken`, is hit by listed names of five letters or more at
 * its end; shorter ones would also hit `discard`.
 */
export type NameTest = (name: string) => boolean

export type SensitiveNames = {
  readonly isSensitive: NameTest
  /** Returns false if no name that occurs unchanged somewhere in this text is sensitive. */
  readonly mayBeIn: (text: string) => boolean
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}]+|\p{N}+/gu
const SHORTEST_ENDING = 5
/** Most characters of a name. Longer ones are data that was made a key. */
const MAX_NAME_LENGTH = 256

export function sensitiveNames(listed: readonly string[]): SensitiveNames {
  const wanted = new Set(listed.map((name) => wordsOf(name).join('')).filter((name) => name !== ''))
  if (wanted.size === 0) return { isSensitive: () => false, mayBeIn: () => false }
  const longest = Math.max(...[...wanted].map((name) => name.length)) + 1
  const endings = [...wanted].filter((name) => name.length >= SHORTEST_ENDING)
  const isWanted = (name: string) => wanted.has(name) || (name.endsWith('s') && wanted.has(name.slice(0, -1)))
  const endsWanted = (word: string) =>
    endings.some((ending) => word.endsWith(ending) || word.endsWith(`${ending}s`))
  // Most names have not even the letters.
  const letters = new RegExp([...wanted].map(spelledAnyhow).join('|'), 'i')

  const isSensitive: NameTest = (name) => {
    if (name.length > MAX_NAME_LENGTH || !letters.test(name)) return false
    const words = wordsOf(name)
    if (words.some(endsWanted)) return true
    return words.some((_, start) => {
      let joined = ''
      for (const word of words.slice(start)) {
        joined += word
        if (joined.length > longest) return false
        if (isWanted(joined)) return true
      }
      return false
    })
  }
  return { isSensitive, mayBeIn: (text) => letters.test(text) }
}

/**
 * Returns a pattern that matches at least this spelling of a name: anything may stand between its letters. A
 * name with other characters matches everywhere.
 */
function spelledAnyhow(name: string): string {
  if (!/^[a-z0-9]*$/.test(name)) return ''
  // The sign for kelvin is an upper-case k, too.
  return Array.from(name, (letter) => (letter === 'k' ? '[k\\u212a]' : letter)).join('[^a-z0-9]*')
}

function wordsOf(name: string): readonly string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase())
}
