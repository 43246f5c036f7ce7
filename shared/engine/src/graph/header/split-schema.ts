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
  for (const { line, offset } of linesOf(sdl)) {
    const isKeyword = KEYWORD.test(line)
    if (!isInBlockString && (isKeyword || line.startsWith('"')) && hasKeyword) {
      pieces.push(sdl.slice(start, offset))
      start = offset
      hasKeyword = false
    }
    if (!isInBlockString && isKeyword) hasKeyword = true
    if (hasOddQuotes(line)) isInBlockString = !isInBlockString
  }
  pieces.push(sdl.slice(start))
  return pieces
}

const KEYWORD = /^(?:type|interface|input|enum|union|scalar|extend|directive|schema)\b/

function* linesOf(text: string): Iterable<{ readonly line: string; readonly offset: number }> {
  for (let offset = 0; offset < text.length; ) {
    const end = text.indexOf('\n', offset)
    const next = end === -1 ? text.length : end + 1
    yield { line: text.slice(offset, next), offset }
    offset = next
  }
}

/** Whether a line begins or ends a block string. */
function hasOddQuotes(line: string): boolean {
  let count = 0
  for (let at = line.indexOf('"""'); at !== -1; at = line.indexOf('"""', at + 3))
    if (line[at - 1] !== '\\') count += 1
  return count % 2 === 1
}
