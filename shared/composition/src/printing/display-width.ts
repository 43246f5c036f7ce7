/**
 * How many columns of a terminal a text takes.
 *
 * Wide characters of East Asian scripts and emoji take two columns, marks that combine with another character
 * and characters that are not shown take none.
 */
import { eastAsianWidth } from 'get-east-asian-width'

/** The number of columns. Control characters, a tab included, count as none. */
export function displayWidth(text: string): number {
  let width = 0
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme)
  return width
}

/** Fills the text with spaces up to `width` columns. A longer text stays as it is. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Replaces the end of a text that is wider than `width` columns by an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 1
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme)
    if (used > width) break
    kept += grapheme
  }
  return `${kept}…`
}

/**
 * Splits a text into what readers see as one character, such as `é` or a flag, which are two code points
 * each.
 */
export function graphemesOf(text: string): Iterable<string> {
  // Names and URLs are ASCII: each character is a grapheme, and a search for graphemes would only take time.
  if (PRINTABLE_ASCII.test(text)) return text
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}

const PRINTABLE_ASCII = /^[\u0020-\u007e]*$/
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' })

function graphemeWidth(grapheme: string): number {
  if (NOT_SHOWN.test(grapheme)) return 0
  if (SHOWN_AS_EMOJI.test(grapheme)) return 2
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0)
}

const NOT_SHOWN = /^[\p{Mark}\p{Control}\p{Format}]+$/u
const SHOWN_AS_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
