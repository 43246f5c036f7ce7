/** Shows the line of a source that a place is in, and underlines the place. */
import type { SdlLocation } from '../contract/composition-result.ts'
import { tokenLengthAt } from '../documents/token.ts'
import { displayWidth, graphemesOf } from './display-width.ts'
import { withVisibleControls } from './visible-controls.ts'

/**
 * Most characters of a source line that is shown as a whole. Longer lines are shown in a window around the
 * place.
 */
const WINDOW = 100
/** Characters that are shown before the place, when the line is longer. */
const BEFORE = 40

/** A line of SDL for a terminal, and the carets below it. */
export type Excerpt = {
  readonly line: string
  /** Blank space before the carets, as wide as the text above it. */
  readonly blank: string
  readonly carets: string
  /** A part of the line only, cut around this place. */
  readonly isWindow: boolean
}

/** Splits at every kind of line end that GraphQL knows. */
export function splitLines(sdl: string): readonly string[] {
  return sdl.split(/\r\n|\n|\r/)
}

/**
 * Returns the line of the place, or null if the source has no such line. The source may be another version
 * than the one that was composed.
 */
export function excerptOf(lines: readonly string[], { line, column, length }: SdlLocation): Excerpt | null {
  const text = lines[line - 1]
  if (text === undefined) return null
  const start = text.length <= WINDOW ? 0 : wholeCharacter(text, Math.max(0, column - 1 - BEFORE))
  const end = text.length <= WINDOW ? text.length : wholeCharacter(text, start + WINDOW)
  const from = Math.min(Math.max(column - 1, start), end)
  const to = Math.min(from + (length ?? tokenLengthAt(text, column)), end)
  const before = `${start > 0 ? '…' : ''}${text.slice(start, from)}`
  const meant = withVisibleControls(text.slice(from, to))
  return {
    line: `${withVisibleControls(before)}${meant}${withVisibleControls(text.slice(to, end))}${end < text.length ? '…' : ''}`.trimEnd(),
    blank: blankFor(withVisibleControls(before)),
    carets: '^'.repeat(Math.max(1, displayWidth(meant))),
    isWindow: text.length > WINDOW,
  }
}

/**
 * Space as wide as the text. A tab stays a tab, so that a caret lands below its column wherever the tab stops
 * are.
 */
function blankFor(text: string): string {
  return Array.from(graphemesOf(text), (grapheme) =>
    grapheme === '\t' ? '\t' : ' '.repeat(displayWidth(grapheme)),
  ).join('')
}

/** Never between the two halves of a character. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index
}
