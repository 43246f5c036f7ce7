/**
 * Tells of most texts that none of some secrets is in them, however encoded: neither as it is, nor is anything there that
 * could be decoded to it. Finding out exactly takes ten times as long.
 */
import { ORDINARY, ORDINARY_BYTES, runsOf, SHORTEST_BASE64, textsIn } from './base64-runs.ts'

const SHORTEST_SECRET = 8
const PERCENT_CODE = /%[0-9a-f]{2}/i

export class SecretHints {
  readonly #secrets: readonly string[]
  /** Some cannot be told from others that look different. */
  readonly #folds: boolean
  /** Bytes that a secret, or what it is encoded to, may have. */
  readonly #plausible: Readonly<Uint8Array>

  constructor(secrets: Iterable<string>) {
    const given = [...secrets]
    this.#secrets = given.map(folded)
    this.#folds = this.#secrets.some((secret) => /[ \ufffd]/.test(secret))
    this.#plausible = plausibleIn(given)
  }

  /** false: none of them is in it. `layers`: how often they may be encoded. */
  mayHold(text: string, layers: number): boolean {
    if (text.length < SHORTEST_SECRET) return false
    if (this.#mayHoldPlain(text, layers)) return true
    return (
      layers > 0 && text.length >= SHORTEST_BASE64 && this.#mayBeSaidBy(runsOf(text, this.#plausible), layers)
    )
  }

  /** The same of a text of which it is known which runs may say ordinary text. */
  mayHoldIn(text: string, ordinaryRuns: readonly string[], layers: number): boolean {
    if (this.#plausible !== ORDINARY_BYTES) return this.mayHold(text, layers)
    return this.#mayHoldPlain(text, layers) || this.#mayBeSaidBy(ordinaryRuns, layers)
  }

  #mayHoldPlain(text: string, layers: number): boolean {
    const searched = this.#folds ? folded(text) : text
    for (const secret of this.#secrets) if (searched.includes(secret)) return true
    return layers > 0 && (text.includes('\\') || (text.includes('%') && PERCENT_CODE.test(text)))
  }

  #mayBeSaidBy(runs: readonly string[], layers: number): boolean {
    return runs.some((run) => textsIn(run, this.#plausible).some((text) => this.mayHold(text, layers - 1)))
  }
}

function plausibleIn(secrets: readonly string[]): Readonly<Uint8Array> {
  const unusual = secrets.filter((secret) => !ORDINARY.test(secret))
  if (unusual.length === 0) return ORDINARY_BYTES
  const plausible = Uint8Array.from(ORDINARY_BYTES)
  for (const secret of unusual) for (const byte of Buffer.from(secret)) plausible[byte] = 1
  return plausible
}

/** With spaces for `+`, as forms have it, and what UTF-8 makes of half a pair. */
function folded(text: string): string {
  return text.toWellFormed().replaceAll('+', ' ')
}
