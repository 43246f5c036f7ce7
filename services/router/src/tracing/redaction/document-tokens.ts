/** The tokens of a GraphQL document (https://spec.graphql.org/draft/#sec-Language.Lexical-Tokens), and of what is none: nothing throws. */
export type Token = {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'unknown'
  readonly start: number
  readonly end: number
}

const IGNORED = /(?:[\s,\uFEFF]|#[^\n\r]*)+/y
const NAME = /[_A-Za-z][_0-9A-Za-z]*/y
const NUMBER = /-?[0-9][0-9A-Za-z_.+-]*/y
const SIGN = /\.\.\.|[!$&()[\]{}:=@|]/y
/** What no document has: taken together up to the next thing that could end a value. */
const UNKNOWN = /[^\s,()[\]{}:#]+/y

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const length = (form: RegExp, at: number): number => {
    form.lastIndex = at
    return form.test(text) ? form.lastIndex : -1
  }
  let at = 0
  while (at < text.length) {
    const ignored = length(IGNORED, at)
    if (ignored !== -1) {
      at = ignored
      continue
    }
    const token = text[at] === '"' ? stringAt(text, at) : tokenAt(at, length)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function tokenAt(start: number, length: (form: RegExp, at: number) => number): Token {
  const name = length(NAME, start)
  if (name !== -1) return { kind: 'name', start, end: name }
  const number = length(NUMBER, start)
  if (number !== -1) return { kind: 'number', start, end: number }
  const sign = length(SIGN, start)
  if (sign !== -1) return { kind: 'sign', start, end: sign }
  return { kind: 'unknown', start, end: Math.max(start + 1, length(UNKNOWN, start)) }
}

/** One that is not closed ends with its line, a block with the text. */
function stringAt(text: string, start: number): Token {
  if (text.startsWith('"""', start)) {
    let close = text.indexOf('"""', start + 3)
    while (close !== -1 && text[close - 1] === '\\') close = text.indexOf('"""', close + 3)
    return { kind: 'string', start, end: close === -1 ? text.length : close + 3 }
  }
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '"') return { kind: 'string', start, end: at + 1 }
    else if (sign === '\n' || sign === '\r') return { kind: 'string', start, end: at }
  }
  return { kind: 'string', start, end: text.length }
}
