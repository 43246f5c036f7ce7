/**
 * Tokens that were verified, so that the next request with one costs a look-up. Bad ones are not remembered:
 * there is no end of them.
 *
 * Two generations take the place of an order of use: when the young one is full, it becomes the old one, and
 * what is found in the old one becomes young again. So a token that is used stays, and a look-up of a token
 * that was used lately writes nothing.
 */
import { ownText } from '../memory/own-text.ts'
import { TextMap } from '../memory/text-map.ts'

type Kept<Good> = { readonly good: Good; readonly size: number }

/** Bytes that a token takes beside its text and its claims. */
const OVERHEAD = 400
/** Bytes that a value takes beside its text. */
const VALUE = 64

/** Remembers by the text of a token what it stands for. */
export class GoodTokens<Good> {
  /** Of one generation, in bytes. */
  readonly #limit: number
  #young = new TextMap<Kept<Good>>()
  #old = new TextMap<Kept<Good>>()
  #size = 0

  /** `limit`: bytes of all, by estimate. */
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

  /** `claims`: of the token, which what it stands for holds. */
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

/** Of claims, which are as deep as 8192 characters of a token can say. */
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
