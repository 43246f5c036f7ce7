/** Keeps the texts of definitions from one composition to the next. */
import { isSameList } from '../kept/same-list.ts'
import { featuresOf, type Feature } from '../merge/features.ts'
import { isFieldsType, type MergedType } from '../merge/merged.ts'
import { hasHint } from './cache-control.ts'
import { printType, type Printing } from './print-definitions.ts'

/** The text of a type, and what the header has to know of it. */
export type PrintedType = {
  readonly text: string
  readonly features: readonly Feature[]
  readonly hasCacheHint: boolean
}

/** The texts that were written in one way. */
export type KeptTexts = { readonly printing: Printing; readonly types: ReadonlyMap<MergedType, PrintedType> }

/** Writes types, or takes the texts that were written in the same way before. */
export class Texts {
  readonly #printing: Printing
  readonly #before: KeptTexts | null
  readonly #areNamesSame: boolean
  readonly #now = new Map<MergedType, PrintedType>()

  constructor(printing: Printing, before: KeptTexts | null) {
    this.#printing = printing
    const isSame = before !== null && isWrittenAlike(printing, before.printing)
    this.#before = isSame ? before : null
    this.#areNamesSame = isSame && isSameList(printing.names, before.printing.names)
  }

  /** The text of a type. */
  of(type: MergedType): PrintedType {
    let printed = this.#now.get(type)
    if (printed === undefined) {
      printed = this.#known(type) ?? {
        text: printType(type, this.#printing),
        features: featuresOf(type),
        hasCacheHint: hasHint(type),
      }
      this.#now.set(type, printed)
    }
    return printed
  }

  /** The texts for the next composition. */
  get kept(): KeptTexts {
    return { printing: this.#printing, types: this.#now }
  }

  /** Only overrides have the names of subgraphs in their texts. */
  #known(type: MergedType): PrintedType | undefined {
    return this.#areNamesSame || !hasOverride(type) ? this.#before?.types.get(type) : undefined
  }
}

function isWrittenAlike(one: Printing, other: Printing): boolean {
  return one.cacheControl === other.cacheControl && isSameList(one.values, other.values)
}

function hasOverride(type: MergedType): boolean {
  return (
    isFieldsType(type) && type.fields.some(({ joins }) => joins.some(({ override }) => override !== null))
  )
}
