/**
 * Keeps tokens that were verified, so that the next request with one costs a look-up. Bad tokens are not
 * kept: there is no end of them.
 *
 * Two generations replace an order of use: when the young one is full, it becomes the old one, and a token
 * that is found in the old one becomes young again. So a token that is used stays, and a look-up of a token
 * that was used lately writes nothing.
 */
import { ownText } from '../../memory/own-text.ts'
import { TextMap } from '../../memory/text-map.ts'

type Kept<Good> = { readonly good: Good; readonly size: number }

/** Bytes that a token takes in addition to its text and its claims. */
const OVERHEAD = 400
/** Bytes that a value takes in addition to its text. */
const VALUE = 64

/** Keeps what tokens stand for, by their texts. */
export class GoodTokens<Good> {
  /** The limit of one generation, in bytes. */
  readonly #limit: number
  #young = new TextMap<Kept<Good>>()
  #old = new TextMap<Kept<Good>>()
  #size = 0

  /** `limit` is the number of bytes of all tokens, by estimate. */
  constructor(limit: number) {
    this.#limit = limit / 2
  }

  find(text: string): Good | null {
    const young = this.#young.get(text)
    if (young !== undefined) return young.good
    const old = this.#old.get(text)
    if (old === undefined) return null
    this.#old.delete(text)
    this.#keep(text, old)
    return old.good
  }

  /** Keeps a token. `claims` are those of the token, which `good` holds in memory. */
  add(text: string, good: Good, claims: unknown): void {
    this.#keep(ownText(text), { good, size: OVERHEAD + text.length + sizeOf(claims) })
  }

  #keep(text: string, kept: Kept<Good>): void {
    if (this.#size + kept.size > this.#limit) {
      this.#old = this.#young
      this.#young = new TextMap()
      this.#size = 0
    }
    if (kept.size > this.#limit) return
    this.#young.set(text, kept)
    this.#size += kept.size
  }
}

/**
 * Estimates the bytes of claims. It is a loop because claims may nest as deep as 8192 characters of a token
 * can say.
 */
function sizeOf(claims: unknown): number {
  let size = 0
  const left = [claims]
  while (left.length > 0) {
    const value = left.pop()
    size += VALUE
    if (typeof value === 'string') size += 2 * value.length
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      size += 2 * name.length
      left.push(member)
    }
  }
  return size
}
