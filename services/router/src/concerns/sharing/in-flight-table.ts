/**
 * Keeps values that are in flight, by the two texts of their key.
 *
 * Each key has one slot in a table of fixed size, and a later value with the same slot replaces an earlier
 * one. So some values in flight can no longer be found, but nobody can make a look-up long by choosing texts:
 * it reads at most `SAMPLED` characters of each text, and compares with one entry.
 *
 * The table is not a `Map` for two reasons. V8 gives all texts of 16,384 characters or more with the same
 * length one hash: among 2000 texts of 60,000 characters one look-up takes 26 ms. And a map that is added to
 * and removed from all the time is copied again and again; a copy keeps the next one alive, with everything
 * that was in it, once it has become old: 11 instead of 4 µs for each fetch, nearly all of that garbage
 * collection.
 */

/** The two texts by which a value in flight is found. They are compared as a whole. */
export type SharingKey = {
  /** The request itself: a body, or a query string. */
  readonly text: string
  /** Everything else that can change the answer. */
  readonly context: string
}

/** A value in flight, with its slot. */
export type InFlight<Value> = SharingKey & { readonly place: number; readonly value: Value }

/** The number of slots, a power of two. */
const PLACES = 8192
const SAMPLED = 64

export class InFlightTable<Value> {
  readonly #places: (InFlight<Value> | null)[] = Array.from({ length: PLACES }, () => null)

  /** Returns the value in flight for the key. Null if there is none. */
  find(key: SharingKey): Value | null {
    const entry = this.#places[placeOf(key)] ?? null
    return entry !== null && entry.context === key.context && entry.text === key.text ? entry.value : null
  }

  /** Puts a value into its slot. Another value in that slot is no longer found. */
  add(key: SharingKey, value: Value): InFlight<Value> {
    const entry = { text: key.text, context: key.context, place: placeOf(key), value }
    this.#places[entry.place] = entry
    return entry
  }

  /** Removes a value. Does nothing if another value has its slot by now. */
  remove(entry: InFlight<Value>): void {
    if (this.#places[entry.place] === entry) this.#places[entry.place] = null
  }
}

function placeOf({ text, context }: SharingKey): number {
  const hash = mixed(mixed(2166136261, context), text)
  return (hash ^ (hash >>> 15)) & (PLACES - 1)
}

/**
 * Hashes a text by FNV-1a: its length, its end, where most texts differ, and some characters all over the
 * rest.
 */
function mixed(start: number, text: string): number {
  const { length } = text
  let hash = Math.imul(start ^ length, 16777619)
  const end = Math.max(0, length - SAMPLED / 2)
  const step = Math.max(1, Math.ceil(end / (SAMPLED / 2)))
  for (let index = 0; index < end; index += step) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  for (let index = end; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  return hash
}
