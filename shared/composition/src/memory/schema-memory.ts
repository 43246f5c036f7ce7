/** Remembers schemas that were read, whole and definition by definition. */
import { Kind, parse, type DefinitionNode, type DocumentNode } from 'graphql'
import { isOfTypeSystem } from '../documents/check-sdl.ts'
import type { SubgraphModel, TypeModel, TypePart } from '../model/model.ts'
import { readModel } from '../model/read-model.ts'
import { readType } from '../model/read-types.ts'
import { splitSchema } from './split-schema.ts'

/** A schema that was read. */
export type ReadSchema = { readonly document: DocumentNode; readonly model: SubgraphModel }

/**
 * Measured with graphs of 150 to 12,000 types with few and many fields, of which the sum with what
 * compositions make of them was right to a quarter.
 */
const BYTES_PER_NAME = 380
const BYTES_PER_TYPE = 1000

type KnownSchema = ReadSchema & { readonly pieces: readonly string[]; readonly bytes: number }
type ParsedPiece = {
  readonly text: string
  readonly isFirst: boolean
  readonly definitions: readonly DefinitionNode[]
}
type KnownType = { readonly parts: readonly TypePart[]; readonly model: TypeModel }

/** The schemas of one graph. Those that were used least recently are forgotten. */
export class SchemaMemory {
  readonly #schemas = new Map<string, KnownSchema>()
  readonly #pieces = new Map<string, readonly DefinitionNode[]>()
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
    const pieces = splitSchema(sdl)
    try {
      const parsed = this.#parse(pieces)
      const definitions = parsed.flatMap((piece) => piece.definitions)
      if (!definitions.every(isOfTypeSystem)) return null
      // Not before all of them are known to be pieces of a schema: nobody would ever forget the others.
      for (const piece of parsed) if (piece.isFirst) this.#pieces.set(piece.text, piece.definitions)
      const document: DocumentNode = { kind: Kind.DOCUMENT, definitions }
      const deciding = parsed.filter((piece) => piece.definitions.some(decidesNames))
      const model = this.#model(document, deciding.map(({ text }) => text).join('\n'))
      const bytes = countNames(sdl) * BYTES_PER_NAME + model.types.size * BYTES_PER_TYPE
      this.#bytes += bytes
      return { document, model, pieces, bytes }
    } catch {
      return null
    }
  }

  /** The same piece again, in one document, has nodes of its own: places are found by nodes. */
  #parse(pieces: readonly string[]): readonly ParsedPiece[] {
    const met = new Set<string>()
    return pieces.map((text) => {
      const isFirst = !met.has(text)
      met.add(text)
      const known = isFirst ? this.#pieces.get(text) : undefined
      return { text, isFirst, definitions: known ?? parse(text, { noLocation: true }).definitions }
    })
  }

  #model(document: DocumentNode, names: string): SubgraphModel {
    const known = this.#types.get(names) ?? new Map<TypePart, KnownType>()
    this.#types.set(names, known)
    return readModel(document, (name, parts, reading) => {
      const [first] = parts
      const before = first === undefined ? undefined : known.get(first)
      if (before?.model.name === name && isSame(before.parts, parts)) return before.model
      const model = readType(name, parts, reading)
      if (first !== undefined) known.set(first, { parts, model })
      return model
    })
  }
}

/** Names outside of strings and comments, which take no more memory than they are long. */
function countNames(sdl: string): number {
  let count = 0
  for (const [found] of sdl.matchAll(/"""(?:[^"\\]|\\[^]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|\w+/g))
    if (found[0] !== '"' && found[0] !== '#') count += 1
  return count
}

function isSame(one: readonly TypePart[], other: readonly TypePart[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index])
}

/** Links, root types and definitions of directives say what other definitions mean. */
function decidesNames({ kind }: DefinitionNode): boolean {
  return (
    kind === Kind.SCHEMA_DEFINITION || kind === Kind.SCHEMA_EXTENSION || kind === Kind.DIRECTIVE_DEFINITION
  )
}
