/** A changed copy of a value of JSON that shares with the value whatever did not change: the value belongs to the engine. */

/** Deeper values are cut off: no one reads them, and whoever walks through them would run out of stack. */
const MAX_DEPTH = 400
export const TOO_DEEP = '[nested too deeply]'

export type ValueMap = {
  /** Of each text, number, boolean and null, and of objects that write themselves (`toJSON`). */
  readonly scalar: (value: unknown) => unknown
  readonly key: (key: string) => string
  /** undefined: the member is walked into. Else what stands in its place. */
  readonly member: (key: string, value: unknown) => unknown
}

export function mapValue(value: unknown, map: ValueMap, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || writesItself(value)) return map.scalar(value)
  if (depth >= MAX_DEPTH) return TOO_DEEP
  return Array.isArray(value) ? mapList(value, map, depth) : mapObject(value, map, depth)
}

/** A member of data may have this name as well. */
function writesItself(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function mapList(list: readonly unknown[], map: ValueMap, depth: number): readonly unknown[] {
  let copy: unknown[] | null = null
  for (const [index, item] of list.entries()) {
    const mapped = mapValue(item, map, depth + 1)
    if (mapped !== item) (copy ??= [...list])[index] = mapped
  }
  return copy ?? list
}

function mapObject(value: object, map: ValueMap, depth: number): object {
  let changed = false
  const members = Object.entries(value).map(([key, item]: [string, unknown]): readonly [string, unknown] => {
    const mapped = map.member(key, item) ?? mapValue(item, map, depth + 1)
    const shown = map.key(key)
    changed ||= mapped !== item || shown !== key
    return [shown, mapped]
  })
  return changed ? Object.fromEntries(withOwnKeys(members)) : value
}

/** Two keys that look the same now stay two members. */
export function withOwnKeys<Value>(
  members: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  const counts = new Map<string, number>()
  return members.map(([key, value]) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return [count === 1 ? key : `${key} (${count})`, value]
  })
}
