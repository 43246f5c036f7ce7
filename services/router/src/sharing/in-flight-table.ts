/**
 * What is in flight, by the two texts that it is shared by.
 *
 * Each pair of texts has one place in a table of fixed size, and what comes later takes it. So what is in
 * flight may be lost to those who could join it, and nobody can make a look-up long by choosing texts: it
 * reads at most `SAMPLED` characters of each, and compares with one entry.
 *
 * It is no `Map` for two reasons. V8 gives all texts of 16,384 characters or more with the same length one
 * hash: among 2000 of 60,000 characters one look-up takes 26 ms. And a map that is added to and removed from
 * all the time is copied again and again; a copy keeps the next one alive, with all that was in it, once it
 * has become old: 11 instead of 4 µs for each fetch, nearly all of that garbage collection.
 */

/** By these two texts, which are compared as a whole, something in flight is found. */
export type SharingKey = {
  /** What is asked: a body, or a query string. */
  readonly text: string
  /** All else that can change the answer. */
  readonly context: string
}

/** Something in flight, in its place. */
export type InFlight<Value> = SharingKey & { readonly place: number; readonly value: Value }

/** A power of two. */
const PLACES = 8192
const SAMPLED = 64

export class InFlightTable<Value> {
  readonly #places: (InFlight<Value> | null)[] = Array.from({ length: PLACES }, () => null)

  /** null: nothing. */
  find(key: SharingKey): Value | null {
    const entry = this.#places[placeOf(key)] ?? null
    return entry !== null && entry.context === key.context && entry.text === key.text ? entry.value : null
  }

  /** From now on `value` is found, and no longer what has the same place. */
  add(key: SharingKey, value: Value): InFlight<Value> {
    const entry = { text: key.text, context: key.context, place: placeOf(key), value }
    this.#places[entry.place] = entry
    return entry
  }

  /** Nothing happens if something else has its place by now. */
  remove(entry: InFlight<Value>): void {
    if (this.#places[entry.place] === entry) this.#places[entry.place] = null
  }
}

function placeOf({ text, context }: SharingKey): number {
  const hash = mixed(mixed(2166136261, context), text)
  return (hash ^ (hash >>> 15)) & (PLACES - 1)
}

/** FNV-1a of the length, of the end, where most texts differ, and of characters all over the rest. */
function mixed(start: number, text: string): number {
  const { length } = text
  let hash = Math.imul(start ^ length, 16777619)
  const end = Math.max(0, length - SAMPLED / 2)
  const step = Math.max(1, Math.ceil(end / (SAMPLED / 2)))
  for (let index = 0; index < end; index += step) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  for (let index = end; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  return hash
}
