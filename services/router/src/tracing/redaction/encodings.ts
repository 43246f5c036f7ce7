/** Ways to write characters in which some stand for others, and back from what is said to where it is written. */
import type { Meter, Sliced } from '../sliced.ts'

export type Place = { readonly start: number; readonly end: number }

/** Each match of the pattern means one character, or none. */
export type Encoding = {
  readonly pattern: RegExp
  readonly meaning: (match: RegExpExecArray) => string
}

/** Of bytes. */
export const PERCENT: Encoding = {
  pattern: /%([0-9a-fA-F]{2})/g,
  meaning: ([, code = '']) => String.fromCharCode(Number.parseInt(code, 16)),
}

/** In strings of JSON and GraphQL. */
export const ESCAPES: Encoding = {
  pattern: /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
  meaning: ([, code, letter = '']) =>
    code === undefined ? (MEANT[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
}
const MEANT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** In base64 of mails and PEM files. */
export const LINE_BREAKS: Encoding = { pattern: /[\r\n]+/g, meaning: () => '' }

/** A match costs as much as going through so many characters. */
const COST = 8
/** To join millions of pieces takes too long for one turn. */
const MANY = 10_000

export function* decoded(text: string, { pattern, meaning }: Encoding, meter: Meter): Sliced<string> {
  const parts: string[] = []
  let pieces: string[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(from, match.index), meaning(match))
    if (meter.take(match.index - from + COST)) yield
    from = match.index + match[0].length
    if (pieces.length < MANY) continue
    parts.push(pieces.join(''))
    pieces = []
  }
  return parts.join('') + pieces.join('') + text.slice(from)
}

/** Where places of the decoded text, in order, are in the text itself. */
export function* encodedPlaces(
  text: string,
  { pattern, meaning }: Encoding,
  places: readonly Place[],
  meter: Meter,
): Sliced<readonly Place[]> {
  const edges = places.flatMap(({ start, end }) => [start, end])
  const found: number[] = []
  // How much longer the text is than what it says, up to the match.
  let longer = 0
  const passEdges = (to: number) => {
    for (
      let edge = edges[found.length];
      edge !== undefined && edge + longer <= to;
      edge = edges[found.length]
    )
      found.push(edge + longer)
  }
  for (const match of text.matchAll(pattern)) {
    passEdges(match.index)
    longer += match[0].length - meaning(match).length
    if (meter.take(COST)) yield
  }
  passEdges(Number.POSITIVE_INFINITY)
  return places.map((_, index) => ({ start: found[2 * index] ?? 0, end: found[2 * index + 1] ?? 0 }))
}
