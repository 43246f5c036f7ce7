/**
 * Finds where two answers to one operation differ. It does not decide which of the two is right: that takes a
 * third, such as one server with the same resolvers.
 */
import { isRecord } from '@switchyard/values'
import type { Opinion } from './second-opinion.ts'

export type ResponsePath = readonly (string | number)[]

export type DataDifference = {
  readonly path: ResponsePath
  /** `undefined` where this side has nothing at the path. */
  readonly ours: unknown
  readonly theirs: unknown
}

/** A path that only one side has an error for. */
export type ErrorDifference = { readonly path: ResponsePath; readonly side: 'ours' | 'theirs' }

export type OpinionComparison =
  | { readonly kind: 'equal' }
  | {
      readonly kind: 'witness-differs'
      readonly data: readonly DataDifference[]
      readonly errors: readonly ErrorDifference[]
    }

/**
 * The order of keys counts in data; messages do not count in errors, and neither does how often a path is
 * named.
 */
export function compareOpinions(ours: Opinion, theirs: Opinion): OpinionComparison {
  const data = dataDifferences(ours.data, theirs.data, [])
  const errors = errorDifferences(ours, theirs)
  return data.length === 0 && errors.length === 0
    ? { kind: 'equal' }
    : { kind: 'witness-differs', data, errors }
}

function dataDifferences(ours: unknown, theirs: unknown, path: ResponsePath): readonly DataDifference[] {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length)
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      dataDifferences(ours[index], theirs[index], [...path, index]),
    )
  }
  if (isRecord(ours) && isRecord(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    const below = [...keys].flatMap((key) =>
      dataDifferences(own(ours, key), own(theirs, key), [...path, key]),
    )
    const sameOrder = Object.keys(ours).join('\n') === Object.keys(theirs).join('\n')
    return below.length > 0 || sameOrder ? below : [{ path, ours, theirs }]
  }
  return Object.is(ours, theirs) ? [] : [{ path, ours, theirs }]
}

function errorDifferences(ours: Opinion, theirs: Opinion): readonly ErrorDifference[] {
  const [here, there] = [errorPaths(ours), errorPaths(theirs)]
  return [
    ...[...here].filter(([key]) => !there.has(key)).map(([, path]) => ({ path, side: 'ours' as const })),
    ...[...there].filter(([key]) => !here.has(key)).map(([, path]) => ({ path, side: 'theirs' as const })),
  ]
}

function errorPaths({ errors }: Opinion): ReadonlyMap<string, ResponsePath> {
  return new Map(errors.map(({ path }) => [JSON.stringify(path ?? []), path ?? []]))
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
