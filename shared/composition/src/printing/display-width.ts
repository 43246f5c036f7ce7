/** How many columns of a terminal a text takes: wide characters take two, marks that combine take none. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Blocks of East Asian wide and fullwidth characters (Unicode, EastAsianWidth.txt). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
const NOTHING = /^[\p{Mark}\p{Control}\p{Format}]+$/u
/** Only these are looked at closer; names and URLs are plain. */
const PLAIN = /^[\u0020-\u007e]*$/

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment)
  return width
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** What does not fit is replaced by an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}

function widthOf(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1
}
