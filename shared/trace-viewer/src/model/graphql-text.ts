/**
 * GraphQL documents as subgraphs are sent them, without white space, laid out for reading. Only tokens are
 * looked at.
 */

const TOKEN =
  /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|\.\.\.|[$@]?[_A-Za-z]\w*|-?\d[\w.+-]*|[!$&()[\]{}:=|]|[\s,\uFEFF]+/gy

/** The text itself when it is not made of tokens of GraphQL. */
export function layOutGraphql(text: string): string {
  const tokens = tokensOf(text)
  if (tokens === null) return text
  const lines: string[] = []
  let line = ''
  let depth = 0
  /** Braces inside parentheses are values, and stay on their line. */
  let parentheses = 0
  const endLine = () => {
    if (line.trim() !== '') lines.push(line)
    line = '  '.repeat(depth)
  }
  let before = ''
  for (const [index, token] of tokens.entries()) {
    if (parentheses === 0 && token === '{') {
      line += line.trim() === '' ? '{' : ' {'
      depth += 1
      endLine()
    } else if (parentheses === 0 && token === '}') {
      depth = Math.max(0, depth - 1)
      endLine()
      line = `${'  '.repeat(depth)}}`
      endLine()
    } else if (token === ',' && parentheses === 0) {
      // Between fields of a selection: each has a line of its own.
      continue
    } else if (token.startsWith('#')) {
      line += token
      endLine()
    } else {
      if (parentheses === 0 && depth > 0 && startsSelection(before, token)) endLine()
      line += needsSpace(before, token) && line.trim() !== '' ? ` ${token}` : token
      if (token === '(' || token === '[') parentheses += 1
      if (token === ')' || token === ']') parentheses = Math.max(0, parentheses - 1)
    }
    before = tokens[index] ?? ''
  }
  endLine()
  return lines.join('\n')
}

function tokensOf(text: string): readonly string[] | null {
  TOKEN.lastIndex = 0
  const tokens: string[] = []
  while (TOKEN.lastIndex < text.length) {
    const [token] = TOKEN.exec(text) ?? []
    if (token === undefined) return null
    if (!/^[\s,\uFEFF]/.test(token)) tokens.push(token)
    else if (token.includes(',')) tokens.push(',')
  }
  return tokens
}

/** A name or `...` that neither follows an alias, a directive's sign or `...`, nor a type condition. */
function startsSelection(before: string, token: string): boolean {
  if (token === '...') return true
  if (!/^[_A-Za-z]/.test(token)) return false
  return !(before === ':' || before === '...' || before === 'on' || before === '')
}

function needsSpace(before: string, token: string): boolean {
  if (before === '' || before === '(' || before === '[' || before === '$' || before === '!') {
    return before === '!' && /^[$@\w]/.test(token)
  }
  if (before === '...') return token === 'on' || token.startsWith('@')
  return !/^[)(\]:!,]$/.test(token)
}
