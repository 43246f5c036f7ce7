/**
 * Hashes documents such that those which differ only in what GraphQL ignores are equal: white space, commas,
 * comments.
 */
import { hash } from 'node:crypto'
import { stripIgnoredCharacters } from 'graphql'

/**
 * The length beyond which texts are compared character by character only. Clients choose them, and going
 * through a text of this length takes up to ten milliseconds.
 */
export const LONGEST_COMPARED = 65_536

/**
 * Returns a hash that is the same for such documents; null if the text is too long, or has no tokens of
 * GraphQL.
 */
export function normalHash(text: string): string | null {
  if (text.length > LONGEST_COMPARED || !text.isWellFormed()) return null
  try {
    return hash('sha256', stripIgnoredCharacters(text), 'base64')
  } catch {
    return null
  }
}
