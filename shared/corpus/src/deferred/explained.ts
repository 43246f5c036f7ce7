/**
 * Checks streams with errors: the client's data must be a part of the complete answer, and errors must
 * explain everything that it lacks.
 */
import type { ResponsePath, StreamPart } from '@switchyard/testkit'

type Lack = { readonly path: ResponsePath; readonly kind: 'null' | 'missing' }

/**
 * Returns the first difference that no error explains, in words, or null. `truth` is the answer in which no
 * null propagates to its parents. A value that is computed of lost data is another one. With `sameLeaves`
 * off, leaves may therefore differ, and one error explains every field that shares its call.
 */
export function unexplained(
  truth: unknown,
  merged: unknown,
  parts: readonly StreamPart[],
  { sameLeaves = true }: { readonly sameLeaves?: boolean } = {},
): string | null {
  const isOver = parts.at(-1)?.hasNext === false
  const errors = parts.flatMap(({ errors = [], incremental = [], completed = [] }) =>
    [...errors, ...[...incremental, ...completed].flatMap(({ errors = [] }) => errors)].map(
      ({ path = [] }) => path,
    ),
  )
  const paths = new Map(parts.flatMap(({ pending = [] }) => pending.map(({ id, path }) => [id, path])))
  /** Paths of objects whose fragment failed. Its cause may have removed more fields of these objects. */
  const failed = parts.flatMap(({ completed = [] }) =>
    completed.flatMap(({ id, errors }) => (errors === undefined ? [] : [paths.get(id) ?? []])),
  )
  // A lost call may have been about the type of an object: no fragment is announced for one whose type nobody
  // knows.
  const isTold = (lack: ResponsePath) =>
    failed.some((path) => startsWith(lack, path)) ||
    errors.some((path) => path.length > 0 && startsWith(lack, path))
  for (const lack of compare(truth, merged, [], sameLeaves)) {
    if (typeof lack === 'string') return lack
    const isExplained =
      lack.kind === 'null'
        ? errors.some((path) => !sameLeaves || isAbout(path, lack.path)) ||
          failed.some((path) => isSame(path, lack.path.slice(0, -1)))
        : !isOver || isTold(lack.path)
    if (!isExplained) return `${lack.kind} without an error: ${JSON.stringify(lack.path)}`
  }
  return null
}

function* compare(
  truth: unknown,
  merged: unknown,
  path: ResponsePath,
  sameLeaves: boolean,
): Generator<Lack | string> {
  if (merged === null) {
    if (truth !== null) yield { path, kind: 'null' }
    return
  }
  if (typeof truth !== 'object' || truth === null || typeof merged !== 'object') {
    if (sameLeaves && truth !== merged)
      yield `${JSON.stringify(path)} is ${JSON.stringify(merged)}, not ${JSON.stringify(truth)}`
    return
  }
  const [all, some] = [truth, merged] as readonly Readonly<Record<string, unknown>>[]
  const surplus = Object.keys(some ?? {}).filter((key) => !Object.hasOwn(truth, key))
  // Computed of what was there, a list may have another length, and a leaf may be any JSON.
  const isShorter = Array.isArray(merged) && Array.isArray(truth) && merged.length < truth.length
  if (!sameLeaves && (surplus.length > 0 || isShorter)) return
  for (const key of surplus) yield `${JSON.stringify([...path, key])} was not asked for`
  for (const [key, value] of Object.entries(all ?? {})) {
    const at = [...path, Array.isArray(truth) ? Number(key) : key]
    if (Object.hasOwn(merged, key)) yield* compare(value, some?.[key], at, sameLeaves)
    else yield { path: at, kind: 'missing' }
  }
}

/**
 * At the null, above or below it; or at another field of its object: a subgraph that gives null in place of
 * an object for one of its fields gives none of the others.
 */
function isAbout(error: ResponsePath, lack: ResponsePath): boolean {
  if (startsWith(error, lack) || startsWith(lack, error)) return true
  return (
    typeof error.at(-1) === 'string' && error.length === lack.length && startsWith(error, lack.slice(0, -1))
  )
}

function isSame(path: ResponsePath, other: ResponsePath): boolean {
  return path.length === other.length && startsWith(path, other)
}

function startsWith(path: ResponsePath, start: ResponsePath): boolean {
  return start.every((key, index) => path[index] === key)
}
