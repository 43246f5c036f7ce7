/** Where a text may say something else in base64: told by what it would say, without saying it. */
import { SEXTETS } from './decodings.ts'
import { Scratch } from './scratch.ts'

/** Eight bytes, the shortest secret, take eleven characters. */
export const SHORTEST_BASE64 = 11
const SHORTEST_TEXT = 8
const LINE_FEED = 0x0a
const RETURN = 0x0d

/** What is in texts of any kind: the visible signs of ASCII, the space, and line breaks. */
export const ORDINARY = /^[ -~\r\n]*$/
export const ORDINARY_BYTES: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(ORDINARY.test(String.fromCharCode(byte))),
)

/**
 * The runs of letters of base64 and base64url that have, read from any of their first four letters, enough bytes next to
 * each other that are plausible: of most words and ids there is none.
 */
export function suspiciousRuns(
  bytes: Buffer,
  from: number,
  to: number,
  plausible: Readonly<Uint8Array>,
): readonly string[] {
  const runs: string[] = []
  let start = from
  let letters = 0
  for (let at = from; at <= to; at++) {
    const byte = at < to ? (bytes[at] ?? 0) : 0
    if ((SEXTETS[byte] ?? -1) !== -1) letters++
    // Lines of a mail or a PEM file are broken.
    else if (letters === 0 || (byte !== LINE_FEED && byte !== RETURN)) {
      if (letters >= SHORTEST_BASE64 && isSuspicious(bytes, start, at, plausible))
        runs.push(bytes.toString('latin1', start, at))
      letters = 0
      start = at + 1
    }
  }
  return runs
}

const scratch = new Scratch()

export function runsOf(text: string, plausible: Readonly<Uint8Array>): readonly string[] {
  const length = scratch.write(text)
  return suspiciousRuns(scratch.bytes, 0, length, plausible)
}

/** By the place of its first letter among four: how many plausible bytes there are up to here. */
const lengths = new Uint32Array(4)

function isSuspicious(bytes: Buffer, start: number, end: number, plausible: Readonly<Uint8Array>): boolean {
  lengths.fill(0)
  let pair = 0
  let count = 0
  for (let at = start; at < end; at++) {
    const sextet = SEXTETS[bytes[at] ?? 0] ?? -1
    if (sextet === -1) continue
    pair = ((pair << 6) | sextet) & 0xfff
    // Two letters have the first, second or third byte of four, which began that many letters before.
    for (let phase = 0; phase < 3; phase++) {
      const place = (count - phase) & 3
      const byte = (pair >> (4 - 2 * phase)) & 0xff
      const length = plausible[byte] === 1 ? (lengths[place] ?? 0) + 1 : 0
      if (length >= SHORTEST_TEXT) return true
      lengths[place] = length
    }
    count++
  }
  return false
}

/** What a run says that is plausible, read from any of its first four letters. */
export function textsIn(run: string, plausible: Readonly<Uint8Array>): readonly string[] {
  const letters = run.replaceAll(/[\r\n]/g, '')
  return [0, 1, 2, 3].flatMap((offset) => {
    const bytes = Buffer.from(letters.slice(offset), 'base64')
    const texts: string[] = []
    let start = 0
    for (let at = 0; at <= bytes.length; at++) {
      if (at < bytes.length && plausible[bytes[at] ?? 0] === 1) continue
      if (at - start >= SHORTEST_TEXT) texts.push(bytes.toString('utf8', start, at))
      start = at + 1
    }
    return texts
  })
}
