/** Remembers schemas that were read, whole and definition by definition. */
import { splitSchema } from '@switchyard/engine/split-schema'
import { Kind, parse, type DefinitionNode, type DocumentNode } from 'graphql'
import { isSameList } from '../kept/same-list.ts'
import { isOfTypeSystem } from '../documents/check-sdl.ts'
import type { SubgraphModel, TypeModel, TypePart } from '../model/model.ts'
import { readModel } from '../model/read-model.ts'
import { readType } from '../model/read-types.ts'

/** A schema that was read. */
export type ReadSchema = { readonly document: DocumentNode; readonly model: SubgraphModel }

/**
 * Measured with graphs of 150 to 12,000 types with few and many fields, of which the sum with what
 * compositions make of them was right to a quarter.
 */
const BYTES_PER_TOKEN = 170
const BYTES_PER_TYPE = 1000

type KnownSchema = ReadSchema & { readonly pieces: readonly string[]; readonly bytes: number }
type ParsedPiece = {
  readonly text: string
  readonly piece: DocumentNode
  /** False if the text before has the same piece. */
  readonly isFirst: boolean
}
type KnownType = { readonly parts: readonly TypePart[]; readonly model: TypeModel }

/** The schemas of one graph. Those that were used least recently are forgotten. */
export class SchemaMemory {
  readonly #schemas = new Map<string, KnownSchema>()
  readonly #pieces = new Map<string, DocumentNode>()
  /** Types by the text of the definitions that say what names mean, and by the first part of the type. */
  readonly #types = new Map<string, Map<TypePart, KnownType>>()
  #bytes = 0

  /** About how much memory the schemas take. */
  get bytes(): number {
    return this.#bytes
  }

  /** About how much memory a schema takes; 0 if it is not remembered. */
  bytesOf(sdl: string): number {
    return this.#schemas.get(sdl)?.bytes ?? 0
  }

  /** Reads a schema; null if it is none. */
  read(sdl: string): ReadSchema | null {
    const known = this.#schemas.get(sdl) ?? this.#readNew(sdl)
    if (known === null) return null
    this.#schemas.delete(sdl)
    this.#schemas.set(sdl, known)
    return known
  }

  /** Forgets the schemas that were used least recently, until the others take no more memory than this. */
  forgetOld(mostBytes: number): void {
    if (this.#bytes <= mostBytes) return
    for (const [sdl, { bytes }] of this.#schemas) {
      if (this.#bytes <= mostBytes) break
      this.#schemas.delete(sdl)
      this.#bytes -= bytes
    }
    const used = new Set([...this.#schemas.values()].flatMap(({ pieces }) => pieces))
    for (const piece of this.#pieces.keys()) if (!used.has(piece)) this.#pieces.delete(piece)
    const models = new Set([...this.#schemas.values()].flatMap(({ model }) => [...model.types.values()]))
    for (const types of this.#types.values())
      for (const [part, { model }] of types) if (!models.has(model)) types.delete(part)
    for (const [names, types] of this.#types) if (types.size === 0) this.#types.delete(names)
  }

  #readNew(sdl: string): KnownSchema | null {
    // A text of which a piece is no document by itself is one piece.
    const parsed = this.#parse(splitSchema(sdl)) ?? this.#parse([sdl])
    if (parsed === null) return null
    // Not before all of them are known to be pieces of a schema: nobody would ever forget the others.
    for (const { text, piece, isFirst } of parsed) if (isFirst) this.#pieces.set(text, piece)
    const definitions = parsed.flatMap(({ piece }) => piece.definitions)
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions }
    const deciding = parsed.filter(({ piece }) => piece.definitions.some(decidesNames))
    const model = this.#model(document, deciding.map(({ text }) => text).join('\n'))
    const tokens = parsed.reduce((sum, { piece }) => sum + (piece.tokenCount ?? 0), 0)
    const bytes = tokens * BYTES_PER_TOKEN + model.types.size * BYTES_PER_TYPE
    this.#bytes += bytes
    return { document, model, pieces: parsed.map(({ text }) => text), bytes }
  }

  /**
   * Parses pieces; null if one of them is no part of a schema. The same piece again, in one text, has nodes
   * of its own: places are found by nodes.
   */
  #parse(pieces: readonly string[]): readonly ParsedPiece[] | null {
    const met = new Set<string>()
    const parsed: ParsedPiece[] = []
    for (const text of pieces) {
      const isFirst = !met.has(text)
      met.add(text)
      const piece = (isFirst ? this.#pieces.get(text) : undefined) ?? parsePiece(text)
      if (piece === null) return null
      parsed.push({ text, isFirst, piece })
    }
    return parsed
  }

  #model(document: DocumentNode, names: string): SubgraphModel {
    const known = this.#types.get(names) ?? new Map<TypePart, KnownType>()
    this.#types.set(names, known)
    return readModel(document, (name, parts, reading) => {
      const [first] = parts
      const before = first === undefined ? undefined : known.get(first)
      if (before?.model.name === name && isSameList(before.parts, parts)) return before.model
      const model = readType(name, parts, reading)
      if (first !== undefined) known.set(first, { parts, model })
      return model
    })
  }
}

function parsePiece(text: string): DocumentNode | null {
  try {
    const piece = parse(text, { noLocation: true })
    return piece.definitions.every(isOfTypeSystem) ? piece : null
  } catch {
    return null
  }
}

/** Links, root types and definitions of directives say what other definitions mean. */
function decidesNames({ kind }: DefinitionNode): boolean {
  return (
    kind === Kind.SCHEMA_DEFINITION || kind === Kind.SCHEMA_EXTENSION || kind === Kind.DIRECTIVE_DEFINITION
  )
}
