/** Prints operations in lines as people read them. */
import { Kind, parse, print, TokenKind } from 'graphql'

/** Characters of an operation that is printed: parsing more would hold up the page. */
const MAX_CHARACTERS = 50_000
const MAX_TOKENS = 10_000

/**
 * Returns the operation in lines. Null if it is left as it is: it cannot be parsed, is very long, or has
 * comments, which printing would lose.
 */
export function prettyPrinted(text: string): string | null {
  if (text.length > MAX_CHARACTERS || text.trim() === '') return null
  try {
    const document = parse(text, { maxTokens: MAX_TOKENS })
    for (let token = document.loc?.startToken ?? null; token !== null; token = token.next)
      if (token.kind === TokenKind.COMMENT) return null
    return `${print(document)}\n`
  } catch {
    return null
  }
}

/** Whether the document has an operation of this kind. False if it cannot be parsed. */
export function hasOperation(text: string, kind: 'mutation' | 'subscription'): boolean {
  if (text.length > MAX_CHARACTERS) return false
  try {
    return parse(text, { noLocation: true, maxTokens: MAX_TOKENS }).definitions.some(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === kind,
    )
  } catch {
    return false
  }
}
