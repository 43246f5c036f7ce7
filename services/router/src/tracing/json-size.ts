/** How many bytes `JSON.stringify` would write, without writing them. */

import { RecordedJson } from './recorded-json.ts'

/** Larger objects are measured once however often they are met: the parents of a fetch are parents of the next one too. */
const REMEMBERED_FROM = 1024
const NEEDS_ESCAPES = /["\\\p{Cc}\p{Cs}]/u

export class JsonSizes {
  readonly #known = new Map<object, number>()

  /** 0: it would be left out. */
  of(value: unknown): number {
    switch (typeof value) {
      case 'string':
        return sizeOfText(value)
      case 'number':
        return Number.isFinite(value) ? String(value).length : 4
      case 'boolean':
        return value ? 4 : 5
      case 'object':
        return value === null ? 4 : this.#ofObject(value)
      default:
        return 0
    }
  }

  #ofObject(value: object): number {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const size = this.#measure(value)
    if (size >= REMEMBERED_FROM) this.#known.set(value, size)
    return size
  }

  #measure(value: object): number {
    if (value instanceof RecordedJson) return Buffer.byteLength(value.text)
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return Buffer.byteLength(JSON.stringify(value) ?? '')
    let size = 0
    if (Array.isArray(value)) {
      for (const item of value) size += (this.of(item) || 4) + 1
    } else {
      for (const [key, item] of Object.entries(value)) {
        const inner = this.of(item)
        if (inner > 0) size += sizeOfText(key) + inner + 2
      }
    }
    // Brackets, and one comma less than members.
    return size === 0 ? 2 : size + 1
  }
}

function sizeOfText(text: string): number {
  return NEEDS_ESCAPES.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2
}
