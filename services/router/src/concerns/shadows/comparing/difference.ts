/** Differences between two answers to one operation, as they are counted: by path and cause. */
import type { DifferenceCause } from '@switchyard/contracts'

/** The value that one of both answers has at a path. */
export type DifferentValue = {
  /** The name of its object type if the answer tells it, or else its type in JSON; `list` for an array. */
  readonly type: string
  readonly value: unknown
}

/** A difference of two answers. */
export type AnswerDifference = {
  /** Names of the answer's members, with `*` for any place of a list; empty for all of the answer. */
  readonly path: string
  readonly cause: DifferenceCause
  /** The code of the error; null for other causes. */
  readonly code: string | null
  /** The first values that differ like this. */
  readonly base: DifferentValue
  readonly flag: DifferentValue
}

/** The outcome of comparing two answers. */
export type AnswerComparison = {
  /** Each path, cause and code once. At most `MAX_DIFFERENCES`. */
  readonly differences: readonly AnswerDifference[]
  /** Whether a list that was declared unordered has the same items in another order. */
  readonly isReordered: boolean
}

/** Characters of a path, and of a type's name, that are told. */
export const MAX_PATH = 500
const MAX_TYPE = 200

/** Differences that are told of one pair of answers. */
export const MAX_DIFFERENCES = 100

/** Describes a value of an answer. */
export function differentValue(value: unknown): DifferentValue {
  return { type: typeNameOf(value).slice(0, MAX_TYPE), value }
}

function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'object') return typeof value
  const name: unknown = '__typename' in value ? value.__typename : null
  return typeof name === 'string' ? name : 'object'
}
