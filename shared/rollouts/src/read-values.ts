/** The properties of one request, as a table of rollouts reads them: each at most once. */
import { type AddressBits, addressBits } from './address-bits.ts'
import { type Version, versionOf } from './version.ts'

/** The value of a property: a text, several, or null if the request lacks the property. */
export type PropertyValue = string | readonly string[] | null

/** Reads one property of a request. */
export type ReadProperty<Asking> = (asking: Asking) => PropertyValue

/** Values of a property that has several; conditions look at no more. */
const MOST_VALUES = 200

/** Reads what rollouts ask of one request. Properties are given by their place in the table. */
export class ReadValues<Asking> {
  readonly #asking: Asking
  readonly #readers: readonly ReadProperty<Asking>[]
  readonly #values: (PropertyValue | undefined)[] = []
  /** The text that was read last as a version. Most requests have one. */
  #versionText: string | null = null
  #version: Version | null = null
  #addressText: string | null = null
  #address: AddressBits | null = null

  constructor(asking: Asking, readers: readonly ReadProperty<Asking>[]) {
    this.#asking = asking
    this.#readers = readers
  }

  /** Returns the value of a property. */
  valueOf(place: number): PropertyValue {
    const known = this.#values[place]
    if (known !== undefined) return known
    const value = this.#readers[place]?.(this.#asking) ?? null
    const kept = value === null || typeof value === 'string' ? value : value.slice(0, MOST_VALUES)
    this.#values[place] = kept
    return kept
  }

  /** Returns a text as a version; null if it is none. */
  versionOf(text: string): Version | null {
    if (text !== this.#versionText) {
      this.#versionText = text
      this.#version = versionOf(text)
    }
    return this.#version
  }

  /** Returns the bits of an address; null if the text is none. */
  addressOf(text: string): AddressBits | null {
    if (text !== this.#addressText) {
      this.#addressText = text
      this.#address = addressBits(text)
    }
    return this.#address
  }
}

/** The properties of one request, whatever kind of request it is. */
export type RequestValues = Pick<ReadValues<unknown>, 'valueOf' | 'versionOf' | 'addressOf'>
