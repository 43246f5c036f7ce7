/**
 * Numbers of JSON that a double cannot hold, kept as the text that was received.
 *
 * Only custom scalars need this: the built-in ones are 32-bit integers, doubles, and texts. A value read
 * exactly (`parseExactly`) holds plain numbers wherever those say the same, so it costs nothing to use;
 * `JSON.stringify` writes the others digit for digit as they came.
 */
declare global {
  interface JSON {
    /** https://tc39.es/proposal-json-parse-with-source/#sec-json.rawjson */
    rawJSON(text: string): unknown
  }
}

/** A number of JSON that would change its value if it were read as a double. */
export class ExactNumber {
  readonly text: string

  /** `text` is a number of JSON. */
  constructor(text: string) {
    this.text = text
    Object.freeze(this)
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text)
  }
}

/** The number that a text stands for: a plain one if that loses nothing. */
export function exactNumber(text: string): number | ExactNumber {
  return losesDigits(text) ? new ExactNumber(text) : Number(text)
}

/**
 * Whether a double stands for another number, or for none, or would write an integer with an exponent, which
 * many readers of integers refuse. -0 and 0 are the same number.
 */
function losesDigits(text: string): boolean {
  const value = Number(text)
  const written = String(value)
  if (written === text) return false
  if (!Number.isFinite(value) || (written.includes('e') && !/[.e]/i.test(text))) return true
  return significant(written) !== significant(text)
}

/** Equal for equal numbers of the same sign. */
function significant(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  return start === end ? '0' : `${digits.slice(start, end)}e${Number(power) + whole.length - start}`
}
