/** What messages show of values that clients and subgraphs have sent, however large they are. */
import { isJsonObject } from '../json/json-object.ts'
import { ExactNumber } from '../json/exact-number.ts'

const EXCERPT = 100

/** The beginning of a text, and how much of it is left out. */
export function excerpt(text: string, length = EXCERPT): string {
  if (text.length <= length) return text
  return `${text.slice(0, length)}… (${text.length - length} characters left out)`
}

/**
 * A value of JSON. Of lists and objects nothing is shown: to choose what matters one would have to look at
 * all of it.
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
