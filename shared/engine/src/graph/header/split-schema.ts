/**
 * Cuts the text of a schema into pieces that can be parsed each for itself, so that after a change only the
 * pieces that changed are parsed.
 *
 * A piece begins at a line that begins with a keyword or a description. Documents that are complete, one
 * after the other, are one document with the definitions of all: no definition that is complete goes on with
 * a name or a string. Where a text is laid out otherwise, a piece cannot be parsed, and the text is parsed
 * whole.
 */

/** Pieces that make the text together. */
export function splitSchema(sdl: string): readonly string[] {
  const pieces: string[] = []
  let start = 0
  let hasKeyword = false
  let isInBlockString = false
  let quotes = sdl.indexOf(BLOCK_QUOTES)
  for (let line = 0, next = 0; line < sdl.length; line = next) {
    next = sdl.indexOf('\n', line) + 1 || sdl.length
    if (!isInBlockString) {
      const isKeyword = isKeywordAt(sdl, line)
      if (hasKeyword && (isKeyword || sdl[line] === '"')) {
        pieces.push(sdl.slice(start, line))
        start = line
        hasKeyword = false
      }
      hasKeyword ||= isKeyword
    }
    for (; quotes !== -1 && quotes < next; quotes = sdl.indexOf(BLOCK_QUOTES, quotes + 3))
      if (sdl[quotes - 1] !== '\\') isInBlockString = !isInBlockString
  }
  pieces.push(sdl.slice(start))
  return pieces
}

const BLOCK_QUOTES = '"""'
const KEYWORD = /(?:type|interface|input|enum|union|scalar|extend|directive|schema)\b/y

/** Most lines begin with a space or a brace, and are not looked at any further. */
function isKeywordAt(sdl: string, line: number): boolean {
  if (sdl.charCodeAt(line) < LETTER_A) return false
  KEYWORD.lastIndex = line
  return KEYWORD.test(sdl)
}

const LETTER_A = 0x61

const TYPE = /^(?:type|interface|input|enum|union|scalar)\s+([_A-Za-z]\w*)/
const PLAIN_STRING = /^"(?:[^"\\\n]|\\.)*"/

/** The name of the type that a piece defines; null for every other piece. */
export function typeNameOf(piece: string): string | null {
  return TYPE.exec(withoutDescription(piece))?.[1] ?? null
}

function withoutDescription(piece: string): string {
  const text = piece.trimStart()
  if (!text.startsWith('"')) return text
  if (!text.startsWith('"""')) return text.replace(PLAIN_STRING, '').trimStart()
  let end = text.indexOf('"""', 3)
  while (end !== -1 && text[end - 1] === '\\') end = text.indexOf('"""', end + 3)
  return end === -1 ? text : text.slice(end + 3).trimStart()
}
