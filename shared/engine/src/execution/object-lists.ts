import { isJsonObject, type JsonObject } from './json-object.ts'

/**
 * Objects in nested lists, always in the same order: that order is what numbers the occurrences of a position.
 *
 * Nesting is followed to a fixed depth, since a subgraph can send brackets far deeper than the call stack reaches.
 */
const MAX_LIST_NESTING = 32

/**
 * Appends the non-null objects of `value` to `into`. With `companions`, walks a second value in step and appends to it
 * what stands at the same place there, null where nothing does. Returns false if the two lists differed in length.
 */
export function collectObjects(
  value: unknown,
  into: JsonObject[] | null,
  companion?: unknown,
  companions?: (JsonObject | null)[],
  nesting = 0,
): boolean {
  if (!Array.isArray(value)) {
    if (isJsonObject(value)) {
      into?.push(value)
      companions?.push(isJsonObject(companion) ? companion : null)
    }
    return true
  }
  if (nesting >= MAX_LIST_NESTING) return true
  const other: readonly unknown[] | null = Array.isArray(companion) ? companion : null
  let equal = companions === undefined || other === null || other.length === value.length
  for (let i = 0; i < value.length; i++)
    if (!collectObjects(value[i], into, other?.[i], companions, nesting + 1)) equal = false
  return equal
}

export function countObjects(value: unknown, nesting = 0): number {
  if (!Array.isArray(value)) return isJsonObject(value) ? 1 : 0
  if (nesting >= MAX_LIST_NESTING) return 0
  let count = 0
  for (const item of value) count += countObjects(item, nesting + 1)
  return count
}

/** How many objects come before the place `indices`; -1 if no object is there. */
export function ordinalOf(value: unknown, indices: readonly number[], nesting = 0): number {
  const [index, ...rest] = indices
  if (index === undefined) return isJsonObject(value) ? 0 : -1
  if (!Array.isArray(value) || nesting >= MAX_LIST_NESTING) return -1
  let before = 0
  for (let i = 0; i < index && i < value.length; i++) before += countObjects(value[i], nesting + 1)
  const inner = ordinalOf(value[index], rest, nesting + 1)
  return inner < 0 ? -1 : before + inner
}

/** The inverse: list indices that lead to the object with this number; null if there is none. */
export function indicesOf(value: unknown, ordinal: number, nesting = 0): readonly number[] | null {
  if (!Array.isArray(value)) return ordinal === 0 && isJsonObject(value) ? [] : null
  if (nesting >= MAX_LIST_NESTING) return null
  let left = ordinal
  for (let i = 0; i < value.length; i++) {
    const count = countObjects(value[i], nesting + 1)
    if (left < count) {
      const rest = indicesOf(value[i], left, nesting + 1)
      return rest === null ? null : [i, ...rest]
    }
    left -= count
  }
  return null
}
