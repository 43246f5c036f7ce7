/** The boundary between the parts of an answer, and JSON that does not hold it. */
import type { Escape } from './print-in-turns.ts'

/**
 * Some clients look for the boundary without the line break before it, and would cut a value that holds it.
 * In JSON these characters stand in strings only, where the escape means the same.
 */
export const BOUNDARY_ESCAPE: Escape = { text: '--graphql', as: String.raw`\u002d-graphql` }

/** The same JSON without what could be taken for the boundary between parts. */
export function withoutBoundary(json: string): string {
  return json.replaceAll(BOUNDARY_ESCAPE.text, BOUNDARY_ESCAPE.as)
}
