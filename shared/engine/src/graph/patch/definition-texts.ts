/** The text of a supergraph, definition by definition, as far as it is looked at without being parsed. */
import {
  GraphQLError,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  parse,
  type DefinitionNode,
  type DocumentNode,
  type TypeDefinitionNode,
} from 'graphql'
import { typeNameOf } from '../header/split-schema.ts'

/**
 * Parses the pieces of a text, of which each has to be a document by itself: one type, or definitions that
 * are no types. Only then a change of one piece is a change of what it defines, and of nothing else. Null if
 * one of them is something else.
 */
export function parseExactPieces(pieces: readonly string[]): DocumentNode | null {
  const all: DefinitionNode[] = []
  try {
    for (const piece of pieces) {
      const { definitions } = parse(piece, { noLocation: true })
      if (!isExact(definitions, typeNameOf(piece))) return null
      for (const definition of definitions) all.push(definition)
    }
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof RangeError) return null
    throw error
  }
  return { kind: Kind.DOCUMENT, definitions: all }
}

function isExact(definitions: readonly DefinitionNode[], name: string | null): boolean {
  if (name === null)
    return definitions.every((node) => !isTypeDefinitionNode(node) && !isTypeExtensionNode(node))
  const [definition, ...others] = definitions
  return others.length === 0 && isTypeNamed(definition, name)
}

function isTypeNamed(node: DefinitionNode | undefined, name: string): node is TypeDefinitionNode {
  return node !== undefined && isTypeDefinitionNode(node) && node.name.value === name
}

/** Characters that are parsed of one text, in some 20 ms. */
const MOST_PARSED = 512 * 1024

/** More of a text would have to be parsed than is parsed while others wait. */
export class TooMuchChangedError extends Error {
  override readonly name = 'TooMuchChangedError'
}

/** Pieces of a text by what they define. */
type Index = Pick<DefinitionTexts, 'header' | 'byName'> & {
  /** The name of the type that each piece defines; null for every other piece. */
  readonly names: ReadonlyMap<string, string | null>
}

const NO_NAMES: Index['names'] = new Map()

/** Indices of texts that others are compared with: fifty flags are compared with one base. */
const INDICES = new WeakMap<readonly string[], Index>()

function indexOf(pieces: readonly string[]): Index {
  const names = new Map(pieces.map((piece) => [piece, typeNameOf(piece)]))
  return { ...byWhatTheyDefine(pieces, names), names }
}

/** `known` are names of some of the pieces: a name is looked up faster than it is read. */
function byWhatTheyDefine(
  pieces: readonly string[],
  known: Index['names'],
): Pick<DefinitionTexts, 'header' | 'byName'> {
  const header: string[] = []
  const byName = new Map<string, string>()
  for (const piece of pieces) {
    const before = known.get(piece)
    const name = before === undefined ? typeNameOf(piece) : before
    if (name === null) header.push(piece)
    else byName.set(name, piece)
  }
  return { header, byName }
}

/** The pieces of one text by what they define. */
export class DefinitionTexts {
  readonly pieces: readonly string[]
  /** Pieces that define no type: what the supergraph says of itself as a whole. */
  readonly header: readonly string[]
  /** Pieces that define a type by its name, in the order of the text. */
  readonly byName: ReadonlyMap<string, string>
  #left = MOST_PARSED

  readonly #names: Index['names']

  private constructor(
    pieces: readonly string[],
    index: Pick<DefinitionTexts, 'header' | 'byName'>,
    names: Index['names'],
  ) {
    this.pieces = pieces
    this.header = index.header
    this.byName = index.byName
    this.#names = names
  }

  /** The pieces of a text that others are compared with as well. */
  static ofCompared(pieces: readonly string[]): DefinitionTexts {
    const index = INDICES.get(pieces) ?? indexOf(pieces)
    INDICES.set(pieces, index)
    return new DefinitionTexts(pieces, index, index.names)
  }

  /** The pieces of a text that has most of them in common with this one. */
  changedTo(pieces: readonly string[]): DefinitionTexts {
    return new DefinitionTexts(pieces, byWhatTheyDefine(pieces, this.#names), NO_NAMES)
  }

  /** The definitions of a piece. Throws graphql-js's syntax error, and TooMuchChangedError. */
  parse(piece: string): readonly DefinitionNode[] {
    this.#left -= piece.length
    if (this.#left < 0) throw new TooMuchChangedError()
    return parse(piece, { noLocation: true }).definitions
  }

  /**
   * The definition of a type; undefined if there is none, or if its piece holds something else as well.
   * Throws as `parse` does.
   */
  get(name: string): TypeDefinitionNode | undefined {
    const piece = this.byName.get(name)
    if (piece === undefined) return undefined
    const [definition, ...others] = this.parse(piece)
    return others.length === 0 && isTypeNamed(definition, name) ? definition : undefined
  }

  /** Whether a type is defined twice. */
  get isAmbiguous(): boolean {
    return this.header.length + this.byName.size < this.pieces.length
  }

  /** Pieces that match. */
  matching(pattern: RegExp): readonly string[] {
    return this.pieces.filter((piece) => pattern.test(piece))
  }
}
