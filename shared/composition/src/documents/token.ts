/** How long the word is that begins at a column, for places of which only the beginning is known. */
const TOKEN = /^(?:@?[_A-Za-z]\w*|"{3}|"(?:[^"\\]|\\.)*"|\.{3}|-?\d[\w.+-]*)/

/** `column` starts at 1. At least 1, also behind the end of the line. */
export function tokenLengthAt(line: string, column: number): number {
  return TOKEN.exec(line.slice(column - 1))?.[0].length ?? 1
}
