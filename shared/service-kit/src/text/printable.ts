/**
 * Makes text from elsewhere fit to be shown: what a subgraph, a registry or a file says is displayed by a
 * terminal, and never carried out by it.
 *
 * Removed are control characters of C0 and C1, with which a terminal is told to move, to recolour, to set a
 * title or the clipboard (ESC, OSC), and the characters of Unicode that change the direction of text, with
 * which a line reads differently from what it says.
 */

/** U+0085, U+2028 and U+2029 end a line, too, for some of those who read it. */
const LINE_ENDS = '\\u0085\\u2028\\u2029'
const DIRECTIONS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/** The colours of our own output, as `Style` of the command line writes them. */
const COLOURS = '\\u001b\\[(?:0|1|2|31|32|33)m'

const LINE_BREAKS = new RegExp(`[\\t\\n\\v\\f\\r${LINE_ENDS}]+`, 'g')
const OTHER_LINE_ENDS = new RegExp(`[${LINE_ENDS}]`, 'g')
/** All but tabs and line feeds. */
const CONTROLS = `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${DIRECTIONS}]`
const ACTED_ON = new RegExp(CONTROLS, 'g')
const ACTED_ON_OR_COLOUR = new RegExp(`(${COLOURS})|${CONTROLS}`, 'g')
/** In JSON these are only within strings, as they are. */
const UNESCAPED = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029${DIRECTIONS}]`, 'g')

/** Makes a text fit for a place where one line is expected: line breaks and tabs become a space. */
export function printableLine(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(ACTED_ON, '')
}

/** Makes a text of several lines fit to be shown: line feeds and tabs stay. */
export function printableText(text: string): string {
  return text.replace(OTHER_LINE_ENDS, ' ').replace(ACTED_ON, '')
}

/** Makes output fit for a terminal that shows colours: those of our own stay, and nothing else of ESC. */
export function printableOutput(text: string): string {
  return text.replace(OTHER_LINE_ENDS, ' ').replace(ACTED_ON_OR_COLOUR, '$1')
}

/** Writes a JSON document so that it can be shown. It stays the same document. */
export function printableJson(json: string): string {
  return json.replace(UNESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes text for people to a standard stream of the process. */
export function say(stream: 'stdout' | 'stderr', text: string): void {
  process[stream].write(printableText(text))
}
