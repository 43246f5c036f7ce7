/** Answers what merging one type asks about the rest of the graph. */
import type { SubgraphModel, TypeModel } from '../model/model.ts'
import type { Subtypes } from './type-texts.ts'
import type { GraphTypes } from './graph-types.ts'
import type { Mentions } from './mentions.ts'

/** Answers questions about types. Each answer is noted as a read of the type that it is about. */
export class MergeFacts {
  /** In the order of their names. Only their number and their versions are read here: types have look-ups. */
  readonly subgraphs: readonly Pick<SubgraphModel, 'minor'>[]
  /** The subgraph that `@override(from:)` means; -1 if there is none of this name. */
  readonly positionOf: (name: string) => number
  readonly subtypes: Subtypes
  readonly #types: GraphTypes

  constructor(
    subgraphs: readonly Pick<SubgraphModel, 'minor'>[],
    positionOf: (name: string) => number,
    types: GraphTypes,
  ) {
    this.subgraphs = subgraphs
    this.positionOf = positionOf
    this.#types = types
    this.subtypes = { get: (name) => types.of(name).subtypes }
  }

  /** Whether a `@requires` or `@provides` of the subgraph selects the field. */
  isSelected(at: number, type: string, field: string): boolean {
    return this.#mentions(at, type)?.selected.has(field) === true
  }

  /** Whether a `@requires` of the subgraph selects the field. */
  isRequired(at: number, type: string, field: string): boolean {
    return this.#mentions(at, type)?.required.has(field) === true
  }

  /** Whether a key of the subgraph selects the field, perhaps below its first level. */
  isInKeys(at: number, type: string, field: string): boolean {
    return this.#mentions(at, type)?.inKeys.has(field) === true
  }

  /** Whether arguments or input fields have the enum, and whether fields return it. */
  useOf(enumName: string): { readonly isInput: boolean; readonly isOutput: boolean } {
    const { mentions } = this.#types.of(enumName)
    return {
      isInput: mentions.some(({ model }) => model.isInput),
      isOutput: mentions.some(({ model }) => model.isOutput),
    }
  }

  /** The declaration of a type in one subgraph. */
  typeIn(at: number, name: string): TypeModel | undefined {
    return this.#types.in(at, name)
  }

  #mentions(at: number, type: string): Mentions | undefined {
    return this.#types.of(type).mentions.find((one) => one.at === at)?.model
  }
}
