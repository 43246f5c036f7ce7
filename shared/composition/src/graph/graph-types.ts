/** Gathers what all subgraphs together say of each type. */
import type { TypeModel } from '../model/model.ts'
import { isSameList } from '../kept/same-list.ts'
import type { Reads } from '../kept/kept.ts'
import type { Declared } from './declared.ts'
import { isSameMentions, type Mentions } from './mentions.ts'

/** One type with all that subgraphs say of it, in the order of the subgraphs. */
export type GraphType = {
  readonly declarations: readonly Declared<TypeModel>[]
  readonly mentions: readonly Declared<Mentions>[]
  /** Members of the union and implementations of the interface in any subgraph. */
  readonly subtypes: ReadonlySet<string>
  /** The subgraphs that the overrides of its fields mean, declaration by declaration. */
  readonly sources: readonly number[]
}

/** A type that nobody declares or mentions. */
export const NO_TYPE: GraphType = { declarations: [], mentions: [], subtypes: new Set(), sources: [] }

/** Puts together what subgraphs say. `positionOf` gives the subgraph that an override means. */
export function graphType(
  declarations: readonly Declared<TypeModel>[],
  mentions: readonly Declared<Mentions>[],
  positionOf: (name: string) => number,
): GraphType {
  return {
    declarations,
    mentions,
    subtypes: subtypesIn(mentions),
    sources: declarations.flatMap(({ model }) =>
      model.kind === 'object' || model.kind === 'interface' ? sourcesOf(model, positionOf) : [],
    ),
  }
}

function subtypesIn(mentions: readonly Declared<Mentions>[]): ReadonlySet<string> {
  const [first, ...others] = mentions.filter(({ model }) => model.subtypes.size > 0)
  if (first === undefined) return NO_TYPE.subtypes
  if (others.length === 0) return first.model.subtypes
  return new Set([first, ...others].flatMap(({ model }) => [...model.subtypes]))
}

function sourcesOf(
  { fields }: Extract<TypeModel, { kind: 'object' | 'interface' }>,
  positionOf: (name: string) => number,
): readonly number[] {
  const found: number[] = []
  for (const { override } of fields.values()) if (override !== null) found.push(positionOf(override.from))
  return found
}

/** True if both are the same for everything that is made of them. */
export function isSameType(one: GraphType, other: GraphType): boolean {
  return (
    one.declarations.length === other.declarations.length &&
    one.declarations.every(({ at, model }, index) => {
      const twin = other.declarations[index]
      return twin?.at === at && twin.model === model
    }) &&
    one.mentions.length === other.mentions.length &&
    one.mentions.every(({ at, model }, index) => {
      const twin = other.mentions[index]
      return twin?.at === at && isSameMentions(model, twin.model)
    }) &&
    isSameList(one.sources, other.sources)
  )
}

/** Looks up types, and notes which ones are read. */
export class GraphTypes {
  /** All names that are declared, sorted. */
  readonly names: readonly string[]
  readonly #types: ReadonlyMap<string, GraphType>
  readonly #reads: Reads

  constructor(types: ReadonlyMap<string, GraphType>, names: readonly string[], reads: Reads) {
    this.#types = types
    this.names = names
    this.#reads = reads
  }

  /** Everything that is said of a type. */
  of(name: string): GraphType {
    this.#reads.note(name)
    return this.#types.get(name) ?? NO_TYPE
  }

  /** The declarations of a type, empty if there are none. */
  get(name: string): readonly Declared<TypeModel>[] {
    return this.of(name).declarations
  }

  /** The declaration of a type in one subgraph. */
  in(at: number, name: string): TypeModel | undefined {
    return this.get(name).find((one) => one.at === at)?.model
  }
}
