/**
 * Is this text SDL at all? Answers with places a person can jump to, before any federation rule is looked at.
 */
import { GraphQLError, isTypeSystemDefinitionNode, isTypeSystemExtensionNode, parse, Source } from 'graphql'
import type { DefinitionNode, DocumentNode } from 'graphql'
import { tokenLengthAt } from './token.ts'

/** One mistake in a text, with lines and columns counted from 1. */
export type SdlProblem = {
  readonly line: number
  readonly column: number
  /** The length of the token at that place, in characters. */
  readonly length: number
  readonly message: string
}

/** A text that is SDL, or the mistakes because of which it is none. */
export type ParsedSdl =
  | { readonly kind: 'parsed'; readonly document: DocumentNode }
  | { readonly kind: 'invalid'; readonly problems: readonly SdlProblem[] }

/** Problems in document order; none means: a document of type system definitions only. */
export function checkSdl(sdl: string): readonly SdlProblem[] {
  const parsed = parseSdl(sdl, 'SDL')
  return parsed.kind === 'invalid' ? parsed.problems : []
}

/** `sourceName` is what nodes of the document carry as `loc.source.name`. */
export function parseSdl(sdl: string, sourceName: string): ParsedSdl {
  let document: DocumentNode
  try {
    document = parse(new Source(sdl, sourceName))
  } catch (error) {
    return { kind: 'invalid', problems: [parseProblem(sdl, error)] }
  }
  const problems = document.definitions
    .filter((node) => !isOfTypeSystem(node))
    .map((node) => ({
      line: node.loc?.startToken.line ?? 1,
      column: node.loc?.startToken.column ?? 1,
      length: (node.loc?.startToken.end ?? 1) - (node.loc?.startToken.start ?? 0),
      message: 'A subgraph schema holds type definitions only; this is an executable definition.',
    }))
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'parsed', document }
}

/** Reads a schema without locations, which take more memory than the nodes themselves. */
export function parseSchema(sdl: string, sourceName: string): ParsedSdl {
  try {
    const document = parse(sdl, { noLocation: true })
    if (document.definitions.every(isOfTypeSystem)) return { kind: 'parsed', document }
  } catch {
    // Read again for the place.
  }
  return parseSdl(sdl, sourceName)
}

/** True for definitions and extensions that a schema may have. */
export function isOfTypeSystem(node: DefinitionNode): boolean {
  return isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node)
}

function parseProblem(sdl: string, error: unknown): SdlProblem {
  if (isWithoutTokens(sdl)) {
    return {
      line: 1,
      column: 1,
      length: 1,
      message: 'The document is empty; a subgraph schema needs definitions.',
    }
  }
  if (error instanceof GraphQLError) {
    const at = error.locations?.[0]
    const line = sdl.split(/\r\n|\n|\r/)[(at?.line ?? 1) - 1] ?? ''
    return {
      line: at?.line ?? 1,
      column: at?.column ?? 1,
      length: tokenLengthAt(line, at?.column ?? 1),
      message: error.message,
    }
  }
  // The recursive-descent parser has no depth limit of its own: the stack ends first.
  return { line: 1, column: 1, length: 1, message: 'The document is nested too deeply to be parsed.' }
}

/**
 * White space, commas, byte order mark and comments only. A comment goes to the end of its line and no less:
 * were it allowed to end earlier, a line of `# # #` could be read in more ways than anybody has time for.
 */
function isWithoutTokens(sdl: string): boolean {
  return /^(?:[\s,\uFEFF]|#[^\n\r]*(?:[\n\r]|$))*$/.test(sdl)
}
