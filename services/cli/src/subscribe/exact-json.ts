/**
 * Reads JSON so that printing it gives the numbers that were received, digit for digit: identifiers and sums
 * may be larger than a double can hold. The engine can do the same faster, and takes long to load.
 */

/** Finds texts that may hold a number which a double changes. */
const LONG_NUMBER = /[\d.]{16}|\d[eE]/

/** Returns the value. Undefined if the text is no JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A reviver for `JSON.parse`. `source` is the text of a number. */
export function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? JSON.rawJSON(source)
    : value
}
