/**
 * Makes a valid document smaller before it is kept: leaves out what only parsing and validation need.
 *
 * Every node of graphql-js knows the tokens that it was made of, and the tokens know each other. That is more
 * than half of what a document takes in memory.
 */
import { type ASTNode, type DocumentNode, Kind, Location, Token, TokenKind } from 'graphql'

const NO_TOKEN = new Token(TokenKind.SOF, 0, 0, 0, 0)
/** Nodes whose places are kept, because errors about the values of variables name them. */
const PLACED: ReadonlySet<string> = new Set([Kind.VARIABLE_DEFINITION, Kind.DIRECTIVE])

type Changeable = { loc?: Location | undefined }

/**
 * Changes the document: most nodes no longer know where they stand in the text. Returns the number of its
 * nodes.
 */
export function forgetTokens(document: DocumentNode): number {
  const open: ASTNode[] = [document]
  let nodes = 0
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes++
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const item of value) open.push(item)
      else if (isNode(value)) open.push(value)
    }
    const changeable: Changeable = node
    changeable.loc = PLACED.has(node.kind) ? placeOf(node) : undefined
  }
  return nodes
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function placeOf({ loc }: ASTNode): Location | undefined {
  if (loc === undefined) return undefined
  const place = new Location(NO_TOKEN, NO_TOKEN, loc.source)
  return Object.assign(place, { start: loc.start, end: loc.end })
}
