/** Measures values as JSON, and writes them, both in slices and without values that are nested too deeply. */
import { MAX_DEPTH, TOO_DEEP } from './json-members.ts'
import type { Meter, Sliced } from './meter.ts'

/** Bytes below which a value is written in one go. */
const SMALL = 1 << 14
const JOINED_AT_ONCE = 1024
/** To write a member takes as long as to search so many characters. */
const MEMBER = 48
const NEEDS_ESCAPES = /["\\\p{Cc}\p{Cs}]/u
const TOO_DEEP_JSON = JSON.stringify(TOO_DEEP)

export class JsonValues {
  readonly #meter: Meter
  /**
   * Objects are measured once however often they are met: the parents of a fetch are parents of the next one
   * too.
   */
  readonly #sizes = new Map<object, number>()
  /** Objects of which something is cut off, and how often something was. */
  readonly #cut = new Set<object>()
  #cuts = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Measures the bytes that `JSON.stringify` would write. 0 means that the value would be left out. */
  *sizeOf(value: unknown, depth = 0): Sliced<number> {
    if (!hasMembers(value)) return sizeOfScalar(value)
    const known = this.#sizes.get(value)
    if (depth >= MAX_DEPTH || this.#cut.has(value)) this.#cuts++
    if (depth >= MAX_DEPTH) return TOO_DEEP_JSON.length
    if (known !== undefined) return known
    const cutsBefore = this.#cuts
    const isList = Array.isArray(value)
    let size = 0
    for (const key of isList ? value.keys() : Object.keys(value)) {
      const item: unknown = Reflect.get(value, key)
      const inner = hasMembers(item) ? yield* this.sizeOf(item, depth + 1) : sizeOfScalar(item)
      if (isList) size += (inner || 4) + 1
      else if (inner > 0) size += sizeOfText(String(key)) + inner + 2
      if (this.#meter.take(typeof item === 'string' ? item.length : 16)) yield
    }
    // Brackets, and one comma less than members.
    const whole = size === 0 ? 2 : size + 1
    this.#sizes.set(value, whole)
    if (this.#cuts > cutsBefore) this.#cut.add(value)
    return whole
  }

  /** Writes a value as `JSON.stringify` does. */
  *textOf(value: unknown, depth = 0): Sliced<string> {
    if (!hasMembers(value)) return JSON.stringify(value) ?? ''
    if (depth >= MAX_DEPTH) return TOO_DEEP_JSON
    const size = yield* this.sizeOf(value, depth)
    if (this.#meter.take(size)) yield
    if (size <= SMALL && !this.#cut.has(value)) return JSON.stringify(value)
    const isList = Array.isArray(value)
    const members = new Members()
    for (const key of isList ? value.keys() : Object.keys(value)) {
      const text = yield* this.textOf(Reflect.get(value, key), depth + 1)
      if (isList) members.add(text || 'null')
      else if (text !== '') members.add(`${JSON.stringify(key)}:${text}`)
      this.#meter.shorten(MEMBER)
      if (this.#meter.take(0)) yield
    }
    const all = members.joined()
    return isList ? `[${all}]` : `{${all}}`
  }
}

/**
 * Texts that are put together as they come: to join a hundred thousand at once takes tens of milliseconds.
 */
class Members {
  readonly #joined: string[] = []
  #pieces: string[] = []

  add(piece: string): void {
    this.#pieces.push(piece)
    if (this.#pieces.length < JOINED_AT_ONCE) return
    this.#joined.push(this.#pieces.join(','))
    this.#pieces = []
  }

  joined(): string {
    return [...this.#joined, ...(this.#pieces.length === 0 ? [] : [this.#pieces.join(',')])].join(',')
  }
}

/** A member of data may be called `toJSON` as well. */
function hasMembers(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !('toJSON' in value && typeof value.toJSON === 'function')
  )
}

function sizeOfScalar(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return sizeOfText(value)
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4
    case 'boolean':
      return value ? 4 : 5
    case 'object':
      return value === null ? 4 : Buffer.byteLength(JSON.stringify(value) ?? '')
    default:
      return 0
  }
}

function sizeOfText(text: string): number {
  return NEEDS_ESCAPES.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2
}
