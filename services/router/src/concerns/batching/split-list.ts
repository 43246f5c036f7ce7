/**
 * The items of a JSON list as texts, for each to be read by itself. What is between commas is not judged:
 * whoever reads an item finds out whether it is JSON.
 */
import { endOfJsonString } from '../../request/json-string.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const END_OF_LIST = 0x5d
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([END_OF_LIST, 0x7d])
const LIST = /^[ \t\n\r]*\[/
const END = /^[ \t\n\r]*$/

/** Whether a text begins as a list does. */
export function isList(text: string): boolean {
  return LIST.test(text)
}

/**
 * Splits a list into its items. Returns `'too-many'` as soon as there are more than `max`, and null if the
 * text is no whole list.
 */
export function splitList(text: string, max: number): readonly string[] | 'too-many' | null {
  const begin = LIST.exec(text)?.[0].length
  if (begin === undefined) return null
  const items: string[] = []
  let depth = 1
  let start = begin
  for (let at = begin; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfJsonString(text, at)
      if (at < 0) return null
    } else if (OPEN.has(code)) depth++
    else if (CLOSE.has(code)) depth--
    if (depth > 1 || (depth === 1 && code !== COMMA)) continue
    if (depth === 0 && code !== END_OF_LIST) return null
    const item = text.slice(start, at)
    start = at + 1
    const isLast = depth === 0
    if (isLast && items.length === 0 && END.test(item)) return END.test(text.slice(start)) ? [] : null
    items.push(item)
    if (items.length > max) return 'too-many'
    if (isLast) return END.test(text.slice(start)) ? items : null
  }
  return null
}
