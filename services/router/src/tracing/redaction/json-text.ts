/**
 * Members with sensitive names in JSON that is part of a text: an input of type JSON sent as a string, a message that
 * quotes one. The text need not be JSON as a whole, and JSON in a string of JSON is found as well: there, each quote has
 * backslashes before it, one for the first level and three for the second.
 */
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import type { NameTest } from './sensitive-names.ts'

/** Bounded in all its parts: each character is looked at a bounded number of times, whatever the text. */
const NAME = /(\\{0,15})"((?:[^"\\]|\\u[0-9a-fA-F]{4}){1,128})\1"\s{0,32}:\s{0,32}/g
const SCALAR = /[^\s,{}[\]"\\]+/y

export function spansOfJsonIn(text: string, isSensitive: NameTest): readonly HiddenSpan[] {
  if (!text.includes('"') || !text.includes(':')) return []
  const spans: HiddenSpan[] = []
  NAME.lastIndex = 0
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const [matched, escape = '', name = ''] = found
    const start = found.index + matched.length
    if (!isSensitive(plain(name))) {
      // The next name may begin with the last quote of this one where quotes are not in pairs.
      NAME.lastIndex = found.index + escape.length + 1 + name.length
      continue
    }
    const end = endOfValue(text, start, escape)
    const value = text.slice(start, end)
    if (value !== '' && value !== 'null') {
      const quote = `${escape}"`
      spans.push({ start, end, shown: `${quote}${REDACTED}${quote}`, secrets: scalarsIn(value, escape) })
    }
    // `exec` leaves the place where it began.
    NAME.lastIndex = Math.max(end, start)
  }
  return spans
}

function endOfValue(text: string, start: number, escape: string): number {
  if (text.startsWith(`${escape}"`, start)) return endOfString(text, start + escape.length + 1, escape.length)
  if (text[start] === '{' || text[start] === '[') return endOfBrackets(text, start, escape)
  SCALAR.lastIndex = start
  return SCALAR.test(text) ? SCALAR.lastIndex : start
}

/** Behind the closing quote: the next one that has as many backslashes as the opening one, escaped backslashes aside. */
function endOfString(text: string, start: number, backslashes: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (before > start && text[before - 1] === '\\') before--
    if ((quote - before) % (2 * (backslashes + 1)) === backslashes) return quote + 1
  }
  return text.length
}

function endOfBrackets(text: string, start: number, escape: string): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"') {
      at = endOfString(text, at + 1, escape.length)
      continue
    }
    if (sign === '{' || sign === '[') depth++
    if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
    at++
  }
  return text.length
}

function scalarsIn(value: string, escape: string): readonly string[] {
  let text = value
  for (let level = escape.length; level > 0; level >>= 1) text = plain(text)
  try {
    return scalarsOf(JSON.parse(text))
  } catch {
    return [...value.matchAll(/[^\s,:{}[\]"\\]{8,}/g)].map(([piece]) => piece)
  }
}

function scalarsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : []
}

function plain(escaped: string): string {
  if (!escaped.includes('\\')) return escaped
  try {
    return String(JSON.parse(`"${escaped}"`))
  } catch {
    return escaped
  }
}
