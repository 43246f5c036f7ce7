/**
 * Finds the place in a schema file where a changed part of the client schema is written, or what is left of
 * it.
 */
import { type ASTNode, type DocumentNode, Kind, parse } from 'graphql'

export type SdlPosition = { readonly line: number; readonly column: number }

/**
 * `path` is a coordinate with dots, as changes carry it. A removed argument is found at its field, a removed
 * field at its type; null when the file says nothing about the type, or is no SDL.
 */
export function locateInSdl(sdl: string, path: string): SdlPosition | null {
  const [typeName, ...members] = path.split('.')
  const definitions = parseOrNull(sdl)?.definitions.filter(
    (node) => 'name' in node && node.name?.value === typeName,
  )
  const found = (definitions ?? []).map((definition) => descend(definition, members))
  const closest = found.reduce<Found | undefined>(
    (best, next) => (best === undefined || next.depth > best.depth ? next : best),
    undefined,
  )
  const token = nameOf(closest?.node)?.loc?.startToken
  return token === undefined ? null : { line: token.line, column: token.column }
}

/** A node that was found. `depth` is the number of members on the way to it. */
type Found = { readonly node: ASTNode; readonly depth: number }

function descend(definition: ASTNode, members: readonly string[]): Found {
  let node = definition
  let depth = 0
  for (const name of members) {
    const next = childrenOf(node).find((child) => nameOf(child)?.value === name)
    if (next === undefined) break
    node = next
    depth += 1
  }
  return { node, depth }
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_EXTENSION:
      return node.fields ?? []
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_EXTENSION:
      return node.values ?? []
    case Kind.FIELD_DEFINITION:
    case Kind.DIRECTIVE_DEFINITION:
      return node.arguments ?? []
    default:
      return []
  }
}

function nameOf(node: ASTNode | undefined) {
  return node !== undefined && 'name' in node ? node.name : undefined
}

function parseOrNull(sdl: string): DocumentNode | null {
  try {
    return parse(sdl)
  } catch {
    return null
  }
}
