/**
 * Text of others for a terminal.
 *
 * Schemas and messages are written by others. A control character in them could move the cursor, set the
 * title or hide text; each is shown as a picture of itself.
 */

/**
 * Shows control characters by their pictures, which begin at U+2400, and line separators and marks that
 * change the direction of writing by their number. A tab is kept.
 */
export function withVisibleControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
