/**
 * The members of a JSON object as texts, so that the payload of a message reaches the pipeline as its client
 * wrote it, with all digits of its numbers, and is parsed once. Values are not judged: whoever reads one
 * finds out whether it is JSON.
 */
import { endOfJsonString } from '../../request/json-string.ts'

const BLANK = /[ \t\n\r]*/y
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** Messages have four members at most. */
const MOST_MEMBERS = 16

/**
 * Returns the texts of the members by their names. Null if the text is no whole object, names a member twice,
 * or has too many members.
 */
export function splitMembers(text: string): ReadonlyMap<string, string> | null {
  let at = afterBlank(text, 0)
  if (text.charCodeAt(at) !== OPENING_BRACE) return null
  const members = new Map<string, string>()
  at = afterBlank(text, at + 1)
  if (text.charCodeAt(at) === CLOSING_BRACE) return isBlankFrom(text, at + 1) ? members : null
  for (;;) {
    const key = text.charCodeAt(at) === QUOTE ? endOfJsonString(text, at) : -1
    const name = key < 0 ? null : stringIn(text.slice(at, key + 1))
    const colon = afterBlank(text, key + 1)
    if (name === null || members.has(name) || text.charCodeAt(colon) !== COLON) return null
    const end = endOfValue(text, colon + 1)
    if (end < 0 || members.size === MOST_MEMBERS) return null
    members.set(name, text.slice(colon + 1, end).trim())
    if (text.charCodeAt(end) === CLOSING_BRACE) return isBlankFrom(text, end + 1) ? members : null
    at = afterBlank(text, end + 1)
  }
}

/** Returns the string that a JSON text stands for; null if the text stands for something else. */
export function stringIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

/** Returns the index of the comma or brace that ends the value, or -1 if there is none. */
function endOfValue(text: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfJsonString(text, at)
        if (at < 0) return -1
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++
        break
      case CLOSING_BRACE:
        if (depth-- === 0) return at
        break
      case CLOSING_BRACKET:
        if (depth-- === 0) return -1
        break
      case COMMA:
        if (depth === 0) return at
        break
      default:
    }
  }
  return -1
}

function afterBlank(text: string, at: number): number {
  BLANK.lastIndex = at
  BLANK.test(text)
  return BLANK.lastIndex
}

function isBlankFrom(text: string, at: number): boolean {
  return afterBlank(text, at) === text.length
}
