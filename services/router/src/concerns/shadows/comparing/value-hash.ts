/**
 * Hashes of JSON values by their meaning: members of objects count in any order. They find what two answers
 * have in common, and are no secret-keeping hashes: none of them leaves the process.
 */
import { ExactNumber, JsonText } from '@switchyard/engine'
import type { Steps } from './sliced-task.ts'

/** Levels of the deepest value that is compared. Scalars of JSON may be nested as deep as they like. */
const MAX_DEPTH = 200

/** Reports that an answer is too deep to be compared. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError'
}

/** Hashes of the objects and lists of one answer. */
export class ValueHashes {
  readonly #steps: Steps
  readonly #known = new Map<object, number>()

  constructor(steps: Steps) {
    this.#steps = steps
  }

  /** Returns the hash of a value. Those of objects and lists must have been added. */
  of(value: unknown): number {
    return typeof value === 'object' && value !== null
      ? (this.#known.get(value) ?? scalarHash(value))
      : scalarHash(value)
  }

  /** Adds all objects and lists of a value. Throws TooDeepError. */
  *add(value: unknown, depth = 0): Generator<void, void> {
    if (this.#steps.take()) yield
    if (typeof value !== 'object' || value === null || isText(value) || this.#known.has(value)) return
    if (depth > MAX_DEPTH) throw new TooDeepError(`nested deeper than ${MAX_DEPTH} levels`)
    let hash = Array.isArray(value) ? 1 : 2
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isTree(item)) yield* this.add(item, depth + 1)
        else if (this.#steps.take()) yield
        hash = mixed(hash, this.of(item))
      }
    } else {
      for (const [key, member] of Object.entries(value)) {
        if (isTree(member)) yield* this.add(member, depth + 1)
        else if (this.#steps.take()) yield
        // A sum, so that the order of members does not count.
        hash = (hash + mixed(textHash(key), this.of(member))) % MODULUS
      }
    }
    this.#known.set(value, hash)
  }
}

function isText(value: object): boolean {
  return value instanceof ExactNumber || value instanceof JsonText
}

function isTree(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isText(value)
}

/** The largest prime below 2^52: sums of two hashes stay exact. */
const MODULUS = 2 ** 52 - 47

function scalarHash(value: unknown): number {
  if (value instanceof ExactNumber || value instanceof JsonText) return textHash(`n${value.text}`)
  if (typeof value === 'string') return textHash(`s${value}`)
  return textHash(typeof value === 'number' ? `n${value}` : String(value))
}

/** Two hashes of 32 bits by FNV-1a with different starts, as one number of 52 bits. */
function textHash(text: string): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ (unit + index), 0x85ebca6b) ^ (high >>> 13)
  }
  return joined(low, high)
}

function mixed(left: number, right: number): number {
  const [low, high] = [left % 0x1_0000_0000, right % 0x1_0000_0000]
  const a = Math.imul(low ^ (high >>> 7), 0xcc9e2d51) ^ Math.imul(high, 0x1b873593)
  const b = Math.imul(Math.floor(left / 0x1_0000_0000) ^ a, 0x85ebca6b)
  const c = Math.imul(Math.floor(right / 0x1_0000_0000) ^ b, 0xc2b2ae35) ^ (a >>> 16)
  return joined(a ^ (c >>> 13), c)
}

function joined(low: number, high: number): number {
  return (low >>> 0) + (high & 0xf_ffff) * 0x1_0000_0000
}
