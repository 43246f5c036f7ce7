/** Finds known secrets in texts, also where they are encoded, and encoded once more. */
import { Automaton } from './automaton.ts'
import { type Decoded, decodeBase64, decodeEscapes, decodePercent } from './decodings.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import { SecretHints } from './secret-hints.ts'

/** How often something may be encoded: base64 in a JSON string in a query string. */
const MAX_LAYERS = 3
const SHORTEST_SECRET = 8

export class SecretFinder {
  readonly #secrets: ReadonlySet<string>
  readonly #hints: SecretHints
  /** Made for the first text that may hold one. */
  #automaton: Automaton | null = null

  constructor(secrets: ReadonlySet<string>) {
    this.#secrets = secrets
    this.#hints = new SecretHints(secrets)
  }

  find(text: string): readonly HiddenSpan[] {
    return this.#hints.mayHold(text, MAX_LAYERS) ? this.#find(text) : []
  }

  /** Whether one is in a text whose runs of base64 that say ordinary text are known. */
  isIn(text: string, ordinaryRuns: readonly string[]): boolean {
    return this.#hints.mayHoldIn(text, ordinaryRuns, MAX_LAYERS) && this.#find(text).length > 0
  }

  #find(text: string): readonly HiddenSpan[] {
    this.#automaton ??= new Automaton(this.#secrets)
    return this.#spans(text, this.#automaton)
  }

  #spans(text: string, automaton: Automaton): readonly HiddenSpan[] {
    const bytes = Buffer.from(text, 'utf8')
    const found: [number, number][] = []
    this.#search(automaton, bytes, bytes.length, MAX_LAYERS, (start, end) => found.push([start, end]))
    if (found.length === 0) return []
    const inText = bytes.length === text.length ? (place: number) => place : placesInText(bytes)
    return merged(found).map(([start, end]) => ({
      start: inText(start),
      end: inText(end),
      shown: REDACTED,
      secrets: [],
    }))
  }

  #search(
    automaton: Automaton,
    bytes: Uint8Array,
    length: number,
    layers: number,
    report: (start: number, end: number) => void,
  ): void {
    if (length < SHORTEST_SECRET) return
    automaton.scan(bytes, length, report)
    if (layers === 0) return
    const inside = (decoded: Decoded | null): void => {
      if (decoded === null) return
      this.#search(automaton, decoded.bytes, decoded.length, layers - 1, (start, end) =>
        report(decoded.starts[start] ?? 0, decoded.ends[end - 1] ?? 0),
      )
    }
    inside(decodePercent(bytes, length))
    inside(decodeEscapes(bytes, length))
    for (const decoded of decodeBase64(bytes, length)) inside(decoded)
  }
}

/** In order, none of them touching the next. */
function merged(found: [number, number][]): readonly (readonly [number, number])[] {
  const ordered = found.sort(([a], [b]) => a - b)
  const places: [number, number][] = []
  for (const [start, end] of ordered) {
    const last = places.at(-1)
    if (last === undefined || start > last[1]) places.push([start, end])
    else last[1] = Math.max(last[1], end)
  }
  return places
}

/** From places in UTF-8, asked for in order, to those in the text. */
function placesInText(bytes: Buffer): (place: number) => number {
  let before = 0
  let passed = 0
  return (place) => {
    passed += bytes.toString('utf8', before, place).length
    before = place
    return passed
  }
}
