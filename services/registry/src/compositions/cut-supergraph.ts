/**
 * Cuts a supergraph into its definitions, so that one of them can be parsed when somebody looks it up: a
 * parsed supergraph takes ten times the memory of its text.
 */
import { findFeatureDefinitions, type FeatureDefinitions, isOfFeature, splitSchema } from '@switchyard/engine'
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  isTypeDefinitionNode,
  Kind,
  OperationTypeNode,
  parse,
  type TypeDefinitionNode,
} from 'graphql'
import { argumentText } from './applied-directives.ts'

export type Roots = { readonly [Root in OperationTypeNode]: string | null }

/** The parts of a supergraph that belong to no type of clients. */
export type SupergraphParts = {
  /** Names of subgraphs by their value of `join__Graph`, in order. */
  readonly subgraphs: ReadonlyMap<string, string>
  readonly roots: Roots
  readonly features: FeatureDefinitions
  /** Texts of the definitions of types, without those of features. */
  readonly types: ReadonlyMap<string, string>
}

/** Calls `onType` for each type, one after the other, so that only one of them is there as a tree. */
export function cutSupergraph(
  sdl: string,
  onType: (definition: TypeDefinitionNode, parts: Pick<SupergraphParts, 'subgraphs' | 'features'>) => void,
): SupergraphParts {
  const pieces = piecesOf(sdl)
  const features = findFeatureDefinitions({ kind: Kind.DOCUMENT, definitions: schemasIn(pieces) })
  const subgraphs = subgraphsIn(pieces)
  const types = new Map<string, string>()
  for (const piece of pieces) {
    const definition = definitionIn(piece)
    if (definition === null || !isTypeDefinitionNode(definition)) continue
    if (isOfFeature(features, definition.name.value)) continue
    types.set(definition.name.value, piece)
    onType(definition, { subgraphs, features })
  }
  return { subgraphs, features, types, roots: rootsOf(schemasIn(pieces), types) }
}

/** Parses the text of one definition; null for a text of white space or comments. */
export function definitionIn(piece: string): DefinitionNode | null {
  return piece.trim() === '' ? null : (parse(piece, { noLocation: true }).definitions[0] ?? null)
}

/** One definition each. A text that is laid out in another way than ours is parsed whole to find them. */
function piecesOf(sdl: string): readonly string[] {
  const pieces = splitSchema(sdl)
  return pieces.every((piece) => isOne(piece))
    ? pieces
    : parse(sdl).definitions.map(({ loc }) => sdl.slice(loc?.start ?? 0, loc?.end ?? 0))
}

function isOne(piece: string): boolean {
  try {
    return piece.trim() === '' || parse(piece, { noLocation: true }).definitions.length === 1
  } catch {
    return false
  }
}

const SCHEMA = /^\s*(?:"""[^]*?"""\s*|"[^\n]*"\s*)?(?:extend\s+)?schema\b/

function schemasIn(pieces: readonly string[]): readonly DefinitionNode[] {
  return pieces.filter((piece) => SCHEMA.test(piece)).flatMap((piece) => definitionIn(piece) ?? [])
}

function subgraphsIn(pieces: readonly string[]): ReadonlyMap<string, string> {
  const piece = pieces.find((text) => /^\s*enum join__Graph\b/.test(text))
  const definition = piece === undefined ? null : definitionIn(piece)
  if (definition?.kind !== Kind.ENUM_TYPE_DEFINITION) return new Map()
  const nameIn = (directives: readonly ConstDirectiveNode[] | undefined) =>
    argumentText(
      directives?.find(({ name }) => name.value === 'join__graph'),
      'name',
    )
  return new Map(
    (definition.values ?? []).map(({ name, directives }) => [name.value, nameIn(directives) ?? name.value]),
  )
}

const USUAL = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

function rootsOf(schemas: readonly DefinitionNode[], types: ReadonlyMap<string, string>): Roots {
  const schema = schemas.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION)
  const root = (operation: OperationTypeNode): string | null => {
    const named = schema?.operationTypes.find((node) => node.operation === operation)?.type.name.value
    const usual = schema === undefined ? USUAL[operation] : undefined
    const name = named ?? usual ?? null
    return name !== null && types.has(name) ? name : null
  }
  return {
    query: root(OperationTypeNode.QUERY),
    mutation: root(OperationTypeNode.MUTATION),
    subscription: root(OperationTypeNode.SUBSCRIPTION),
  }
}
