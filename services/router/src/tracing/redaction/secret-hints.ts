/**
 * Tells of most texts that none of some secrets is in them, however encoded: neither as it is, nor is anything there that
 * could be decoded to it. Finding out exactly takes ten times as long.
 */
import { SEXTETS } from './decodings.ts'

const SHORTEST_SECRET = 8
/** Eight bytes, the shortest secret, take eleven characters. */
const SHORTEST_BASE64 = 11
const PERCENT_CODE = /%[0-9a-f]{2}/i
/** What is in texts of any kind: the visible signs of ASCII, the space, and line breaks. */
const ORDINARY = /^[ -~\r\n]*$/
const ORDINARY_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(ORDINARY.test(String.fromCharCode(byte))),
)

export class SecretHints {
  readonly #secrets: readonly string[]
  /** Some cannot be told from others that look different. */
  readonly #folds: boolean
  /** Bytes that a secret, or what it is encoded to, may have. */
  readonly #plausible = ORDINARY_BYTES.slice()

  constructor(secrets: Iterable<string>) {
    const given = [...secrets]
    this.#secrets = given.map(folded)
    this.#folds = this.#secrets.some((secret) => /[ \ufffd]/.test(secret))
    for (const secret of given)
      if (!ORDINARY.test(secret)) for (const byte of Buffer.from(secret)) this.#plausible[byte] = 1
  }

  /** false: none of them is. `layers`: how often they may be encoded. */
  mayHold(text: string, layers: number): boolean {
    if (text.length < SHORTEST_SECRET) return false
    const searched = this.#folds ? folded(text) : text
    if (this.#secrets.some((secret) => searched.includes(secret))) return true
    if (layers === 0) return false
    return text.includes('\\') || PERCENT_CODE.test(text) || this.#mayHoldBase64(text, layers)
  }

  #mayHoldBase64(text: string, layers: number): boolean {
    BASE64_RUN.lastIndex = 0
    // Runs are read before they are looked into, since that uses the same expression.
    const runs: string[] = []
    for (let run = BASE64_RUN.exec(text); run !== null; run = BASE64_RUN.exec(text))
      if (this.#isSuspicious(run[0])) runs.push(run[0])
    return runs.some((run) => this.#textsIn(run).some((said) => this.mayHold(said, layers - 1)))
  }

  /** What it says that may be text, read from any of its first four letters. */
  #textsIn(run: string): readonly string[] {
    const letters = run.replaceAll(/[\r\n]/g, '')
    return [0, 1, 2, 3].flatMap((offset) => {
      const bytes = Buffer.from(letters.slice(offset), 'base64')
      const texts: string[] = []
      let start = 0
      for (let at = 0; at <= bytes.length; at++) {
        if (at < bytes.length && this.#plausible[bytes[at] ?? 0] === 1) continue
        if (at - start >= SHORTEST_SECRET) texts.push(bytes.toString('utf8', start, at))
        start = at + 1
      }
      return texts
    })
  }

  /** Whether what it says, read from any of its first four letters, has a piece that is long enough and may be text. */
  #isSuspicious(run: string): boolean {
    const lengths = [0, 0, 0, 0]
    let before = 0
    let at = 0
    for (let index = 0; index < run.length; index++) {
      const sextet = SEXTETS[run.charCodeAt(index)] ?? -1
      if (sextet === -1) continue
      const pair = (before << 6) | sextet
      before = sextet
      if (at++ === 0) continue
      // Of what is read from the letter `offset`, this pair is number `at - 2 - offset`; of each four, one has no byte.
      for (let offset = 0; offset < 4; offset++) {
        const phase = (at - 2 - offset) & 3
        if (at - 2 < offset || phase === 3) continue
        const byte = (pair >> (4 - 2 * phase)) & 0xff
        const length = this.#plausible[byte] === 1 ? (lengths[offset] ?? 0) + 1 : 0
        if (length === SHORTEST_SECRET) return true
        lengths[offset] = length
      }
    }
    return false
  }
}

/** Lines of a mail or a PEM file are broken. */
const BASE64_RUN = new RegExp(String.raw`[\w+/\-\r\n]{${SHORTEST_BASE64},}`, 'g')

/** With spaces for `+`, as forms have it, and what UTF-8 makes of half a pair. */
function folded(text: string): string {
  return text.toWellFormed().replaceAll('+', ' ')
}
