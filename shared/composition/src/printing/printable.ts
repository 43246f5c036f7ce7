/**
 * How text lies on a terminal: how many cells a character takes, and what a terminal would obey rather than show.
 *
 * Schemas and messages are written by others. A control character in them could move the cursor, set the title or
 * hide text; each is shown as a picture of itself.
 */

/** Control pictures stand at U+2400; a tab is kept. Line separators and marks that turn the direction are shown by number. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** What stands before the caret: tabs stay tabs, so that it lands under its column wherever the tab stops are. */
export function blankFor(text: string): string {
  let blank = ''
  for (const cluster of clusters(text)) blank += cluster === '\t' ? '\t' : ' '.repeat(cellsOf(cluster))
  return blank
}

export function widthOf(text: string): number {
  let width = 0
  for (const cluster of clusters(text)) width += cellsOf(cluster)
  return width
}

function cellsOf(cluster: string): number {
  const code = cluster.codePointAt(0) ?? 0
  if (/^\p{Mark}/u.test(cluster) || code === 0x200b || code === 0xfeff) return 0
  return isWide(code) || /\p{Emoji_Presentation}|\ufe0f/u.test(cluster) ? 2 : 1
}

/** East Asian Wide and Fullwidth, as terminals take them. */
function isWide(code: number): boolean {
  return WIDE.some(([from, to]) => code >= from && code <= to)
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
]

/** ASCII has one character per cluster; only other text pays for finding them. */
function clusters(text: string): Iterable<string> {
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  return Array.from(
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  )
}
