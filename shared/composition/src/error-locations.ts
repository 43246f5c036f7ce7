/**
 * Where in the subgraphs' SDL an error of the library is.
 *
 * Some errors carry AST nodes. Most carry only a message that names a coordinate (`"Query.price"`, `Type "Money"`) and
 * subgraphs; for those the coordinate is looked up in the documents of the subgraphs concerned.
 */
import { Kind } from 'graphql'
import type { ASTNode, DocumentNode } from 'graphql'
import type { SdlLocation } from './composition-result.ts'

export type SourceDocument = { readonly name: string; readonly document: DocumentNode }

/** At most one place per coordinate and subgraph; an error about everything gets none. */
const MAX_LOCATIONS = 20

/** `owner` is the subgraph whose own validation failed, null for errors of the merge. */
export function locateError(
  message: string,
  nodes: readonly ASTNode[],
  owner: string | null,
  sources: readonly SourceDocument[],
): { readonly subgraphs: readonly string[]; readonly locations: readonly SdlLocation[] } {
  const own = sources.filter(({ name }) => name === owner)
  const mentioned = own.length > 0 ? own : sources.filter(({ name }) => mentions(message, name))
  const fromNodes = locationsOfNodes(nodes, sources)
  const locations =
    fromNodes.length > 0 ? fromNodes : locateCoordinates(message, mentioned.length > 0 ? mentioned : sources)
  const subgraphs = new Set([
    ...mentioned.map(({ name }) => name),
    ...locations.map(({ subgraph }) => subgraph),
  ])
  return { subgraphs: [...subgraphs].sort(), locations: locations.slice(0, MAX_LOCATIONS) }
}

function mentions(message: string, subgraph: string): boolean {
  return message.includes(`"${subgraph}"`) || message.startsWith(`[${subgraph}] `)
}

function locationsOfNodes(nodes: readonly ASTNode[], sources: readonly SourceDocument[]): SdlLocation[] {
  const locations: SdlLocation[] = []
  for (const node of nodes) {
    const subgraph = node.loc?.source.name
    if (!sources.some(({ name }) => name === subgraph)) continue
    addLocation(locations, subgraph, node)
  }
  return locations
}

/** The most exact coordinates of the message that exist: enum values and arguments before fields before types. */
export function locateCoordinates(message: string, sources: readonly SourceDocument[]): SdlLocation[] {
  for (const candidates of coordinatesByPrecision(message)) {
    const locations: SdlLocation[] = []
    for (const coordinate of candidates) {
      for (const { name, document } of sources) {
        addLocation(locations, name, findCoordinate(document, coordinate))
      }
    }
    if (locations.length > 0) return locations
  }
  return []
}

type Coordinate = {
  readonly type: string
  readonly member?: string | undefined
  readonly argument?: string | undefined
}

function coordinatesByPrecision(message: string): readonly (readonly Coordinate[])[] {
  const members: Coordinate[] = []
  for (const match of message.matchAll(/\b([_A-Za-z]\w*)\.([_A-Za-z]\w*)(?:\(([_A-Za-z]\w*):?[^)]*\))?/g)) {
    members.push({ type: match[1] ?? '', member: match[2], argument: match[3] })
  }
  const [, enumType, enumValue] = /^Enum type "(\w+)".*? value "(\w+)"/.exec(message) ?? []
  const types: Coordinate[] = []
  for (const match of message.matchAll(/"([_A-Za-z]\w*)"/g)) types.push({ type: match[1] ?? '' })
  for (const match of message.matchAll(/\b[Tt]ype ([_A-Za-z]\w*)/g)) types.push({ type: match[1] ?? '' })
  return [
    enumType === undefined ? [] : [{ type: enumType, member: enumValue }],
    members.filter((coordinate) => coordinate.argument !== undefined),
    members.map(({ type, member }) => ({ type, member })),
    members.map(({ type }) => ({ type })),
    types,
  ]
}

function findCoordinate(document: DocumentNode, coordinate: Coordinate): ASTNode | undefined {
  for (const definition of document.definitions) {
    if (!('name' in definition) || definition.name?.value !== coordinate.type) continue
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) continue
    if (coordinate.member === undefined) return definition.name
    const members: readonly MemberNode[] =
      'fields' in definition
        ? (definition.fields ?? [])
        : 'values' in definition
          ? (definition.values ?? [])
          : []
    const member = members.find(({ name }) => name.value === coordinate.member)
    if (member === undefined) continue
    if (coordinate.argument === undefined) return member.name
    return member.arguments?.find(({ name }) => name.value === coordinate.argument)?.name
  }
  return undefined
}

type NamedNode = { readonly name: ASTNode & { readonly value: string } }
type MemberNode = NamedNode & { readonly arguments?: readonly NamedNode[] | undefined }

function addLocation(
  locations: SdlLocation[],
  subgraph: string | undefined,
  node: ASTNode | undefined,
): void {
  const token = node?.loc?.startToken
  if (subgraph === undefined || token === undefined) return
  const known = locations.some(
    (location) =>
      location.subgraph === subgraph && location.line === token.line && location.column === token.column,
  )
  if (!known) locations.push({ subgraph, line: token.line, column: token.column })
}
