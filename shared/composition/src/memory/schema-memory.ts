/** Remembers schemas that were read, whole and definition by definition. */
import { Kind, parse, type DefinitionNode, type DocumentNode } from 'graphql'
import { isOfTypeSystem } from '../documents/check-sdl.ts'
import type { SubgraphModel, TypeModel, TypePart } from '../model/model.ts'
import { readModel } from '../model/read-model.ts'
import { readType } from '../model/read-types.ts'
import { splitSchema } from './split-schema.ts'

/** A schema that was read. */
export type ReadSchema = { readonly document: DocumentNode; readonly model: SubgraphModel }

type KnownSchema = ReadSchema & { readonly pieces: readonly string[]; readonly names: number }
type KnownType = { readonly parts: readonly TypePart[]; readonly model: TypeModel }

/** The schemas of one graph. Those that were used least recently are forgotten. */
export class SchemaMemory {
  readonly #schemas = new Map<string, KnownSchema>()
  readonly #pieces = new Map<string, readonly DefinitionNode[]>()
  /** Types by the text of the definitions that say what names mean, and by the first part of the type. */
  readonly #types = new Map<string, Map<TypePart, KnownType>>()
  #names = 0

  /** How many names the schemas have that are remembered: their size, whatever they say in descriptions. */
  get names(): number {
    return this.#names
  }

  /** How many names a schema has; 0 if it is not remembered. */
  namesIn(sdl: string): number {
    return this.#schemas.get(sdl)?.names ?? 0
  }

  /** Reads a schema; null if it is none. */
  read(sdl: string): ReadSchema | null {
    const known = this.#schemas.get(sdl) ?? this.#readNew(sdl)
    if (known === null) return null
    this.#schemas.delete(sdl)
    this.#schemas.set(sdl, known)
    return known
  }

  /** Forgets the schemas that were used least recently, until the others have no more names than these. */
  forgetOld(mostNames: number): void {
    if (this.#names <= mostNames) return
    for (const [sdl, { names }] of this.#schemas) {
      if (this.#names <= mostNames) break
      this.#schemas.delete(sdl)
      this.#names -= names
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
      const document: DocumentNode = { kind: Kind.DOCUMENT, definitions }
      const deciding = parsed.filter((piece) => piece.definitions.some(decidesNames))
      const model = this.#model(document, deciding.map(({ text }) => text).join('\n'))
      const names = countNames(sdl)
      this.#names += names
      return { document, model, pieces, names }
    } catch {
      return null
    }
  }

  /** The same piece again, in one document, has nodes of its own: places are found by nodes. */
  #parse(
    pieces: readonly string[],
  ): readonly { readonly text: string; readonly definitions: readonly DefinitionNode[] }[] {
    const used = new Set<string>()
    return pieces.map((text) => {
      const known = used.has(text) ? undefined : this.#pieces.get(text)
      const definitions = known ?? parse(text, { noLocation: true }).definitions
      if (!used.has(text)) this.#pieces.set(text, definitions)
      used.add(text)
      return { text, definitions }
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
