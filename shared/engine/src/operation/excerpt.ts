/** Shortens what clients and subgraphs have sent, for messages. */
import { isJsonObject } from '../json/json-object.ts'
import { ExactNumber } from '../json/exact-number.ts'

const EXCERPT = 100

/** The beginning of a text, and how much of it is left out. */
export function excerpt(text: string, length = EXCERPT): string {
  if (text.length <= length) return text
  return `${text.slice(0, length)}… (${text.length - length} characters left out)`
}

/**
 * The beginning of a value of JSON. Lists and objects are not shown: one would have to look at all of them.
 */
export function excerptOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isJsonObject(value)) return 'an object'
  if (value instanceof ExactNumber) return excerpt(value.text)
  if (typeof value !== 'string') return String(value)
  const left = value.length - EXCERPT
  return left <= 0
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, EXCERPT))}… (${left} characters left out)`
}
