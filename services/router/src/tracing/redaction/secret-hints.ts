/**
 * Tells of most texts at a glance that none of a few secrets is in them, so that nothing has to be built to search them.
 *
 * A hint is a piece of a secret that stands unchanged in each text where the secret does: as it is, or as the letters of
 * base64 that no neighbour of the piece has a part in. Where a hint is, the secret may be, and the text has to be searched.
 */
import { SHORTEST_SECRET } from './secret-search.ts'

/** With more secrets, it is cheaper to search. */
const MOST_SECRETS = 16
/** In characters: longer texts take too long for one turn. */
const LONGEST_TEXT = 1 << 16
/** Shorter hints are in too many texts. */
const SHORTEST_HINT = 6
/** The end of a token tells more than its beginning, which many have in common. */
const LONGEST_HINT = 16
/** What all encodings but base64 leave as it is: a form writes a space as `+`. */
const UNCHANGED = /[A-Za-z0-9._~=:;,@/-]+/g
/** The other two letters of base64 differ in base64url. */
const SAME_IN_BOTH = /[A-Za-z0-9]+/g
/** The text says something else than it shows: percent codes, and escapes of strings. */
const ENCODED = /[%\\]/
const LINE_BREAKS = /[\r\n]+/g
const LINE_BREAK = /[\r\n]/

export class SecretHints {
  readonly #plain: ReadonlySet<string>
  readonly #inBase64: ReadonlySet<string>

  private constructor(plain: ReadonlySet<string>, inBase64: ReadonlySet<string>) {
    this.#plain = plain
    this.#inBase64 = inBase64
  }

  /** null: there are too many secrets, or one has no piece that is a hint. */
  static of(secrets: ReadonlySet<string>): SecretHints | null {
    if (secrets.size > MOST_SECRETS) return null
    const plain = new Set<string>()
    const inBase64 = new Set<string>()
    for (const secret of secrets) {
      const hint = longestRun(secret, UNCHANGED).slice(-LONGEST_HINT)
      if (hint.length < SHORTEST_HINT) return null
      if (plain.has(hint)) continue
      plain.add(hint)
      for (const before of BYTES_BEFORE) {
        const letters = longestRun(lettersOf(hint, before), SAME_IN_BOTH)
        if (letters.length < SHORTEST_HINT) return null
        inBase64.add(letters)
      }
    }
    return new SecretHints(plain, inBase64)
  }

  /** false: one may be in it. */
  areAbsentFrom(text: string): boolean {
    if (text.length < SHORTEST_SECRET) return true
    if (text.length > LONGEST_TEXT || ENCODED.test(text)) return false
    for (const hint of this.#plain) if (text.includes(hint)) return false
    const joined = LINE_BREAK.test(text) ? text.replaceAll(LINE_BREAKS, '') : text
    for (const hint of this.#inBase64) if (joined.includes(hint)) return false
    return true
  }
}

/** Three bytes are four letters: where a piece begins among three decides its letters. */
const BYTES_BEFORE = [0, 1, 2] as const

/** Of a piece after so many unknown bytes: those letters that are of the piece alone. */
function lettersOf(piece: string, bytesBefore: number): string {
  const first = Math.ceil((bytesBefore * 8) / 6)
  const end = Math.floor(((bytesBefore + piece.length) * 8) / 6)
  return btoa('\0'.repeat(bytesBefore) + piece).slice(first, end)
}

function longestRun(text: string, runs: RegExp): string {
  let longest = ''
  for (const run of text.match(runs) ?? []) if (run.length > longest.length) longest = run
  return longest
}
