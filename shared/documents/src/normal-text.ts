/** What documents have in common that differ only in what GraphQL ignores: white space, commas, comments. */
import { hash } from 'node:crypto'
import { stripIgnoredCharacters } from 'graphql'

/**
 * Longer texts are compared character by character only: clients choose them, and going through one of this
 * length takes up to ten milliseconds.
 */
export const LONGEST_COMPARED = 65_536

/** A hash that is the same for such documents; null: the text is too long, or has no tokens of GraphQL. */
export function normalHash(text: string): string | null {
  if (text.length > LONGEST_COMPARED || !text.isWellFormed()) return null
  try {
    return hash('sha256', stripIgnoredCharacters(text), 'base64')
  } catch {
    return null
  }
}
