import { ExactNumber } from './exact-number.ts'

/** Anything JSON can hold as an object. Subgraph data is only ever read. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object of JSON; an `ExactNumber` is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

/**
 * Own property of parsed JSON. JSON holds no functions and never Object.prototype, so those two mean that a
 * name like `constructor` or `__proto__` was looked up on the prototype.
 */
export function read(object: JsonObject, key: string): unknown {
  const value = object[key]
  return typeof value === 'function' || value === Object.prototype ? undefined : value
}

/**
 * Sets an own property under any name; a plain assignment to `__proto__` would change the prototype instead.
 */
export function write(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/** Describes a value of the wrong kind for a message. Large values are never shown themselves. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isJsonObject(value)) return 'an object'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
