/** Text that is remembered, and what it takes in memory. */

/**
 * The same text in memory of its own. A part of a text holds the whole of it in V8: a query of 30 characters
 * the body of 5 MB in which it came.
 */
export function ownText(text: string): string {
  const encoding = isLatin1(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}

/** Bytes. V8 takes two for each character as soon as one of them is not in Latin-1. */
export function textSize(text: string): number {
  return isLatin1(text) ? text.length : 2 * text.length
}

function isLatin1(text: string): boolean {
  return !BEYOND_LATIN_1.test(text)
}

// oxlint-disable-next-line no-control-regex -- what takes one byte, and that includes these
const BEYOND_LATIN_1 = /[^\u0000-\u00ff]/
