/** A list in which each member stands once, and whose members are named by their places. */
import { sizeOf } from './untold.ts'

/** The place that a member has, or gets with `add`. */
export type Place = {
  readonly index: number
  /** The bytes that it adds to the list. */
  readonly size: number
  readonly add: () => number
}

/** Members of a list of a message. */
export class Numbered<Member extends object> {
  readonly all: Member[] = []
  readonly #byKey = new Map<string, number>()

  /** Returns the place of a member that may be added. */
  of(member: Member): Place {
    const key = JSON.stringify(member)
    const known = this.#byKey.get(key)
    if (known !== undefined) return { index: known, size: 0, add: () => known }
    const index = this.all.length
    const add = () => {
      this.all.push(member)
      this.#byKey.set(key, index)
      return index
    }
    return { index, size: sizeOf(member), add }
  }
}
