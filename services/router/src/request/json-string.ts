/** Strings in JSON texts that are taken apart without being parsed. */

const BACKSLASH = 0x5c

/**
 * Returns the index of the quotation mark that ends the string which begins at `begin`, or -1 if there is
 * none.
 */
export function endOfJsonString(text: string, begin: number): number {
  let at = begin
  do at = text.indexOf('"', at + 1)
  while (at > 0 && isEscaped(text, at))
  return at
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}
