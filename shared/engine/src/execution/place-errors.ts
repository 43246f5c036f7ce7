import type { Path } from './client-paths.ts'
import type { IncrementalEntry, ResponseError } from './contract.ts'
import { MAX_COPIES } from './error-paths.ts'
import type { CompletedFragment } from './fragment-completion.ts'
import { pathKey } from './result-errors.ts'

/** Stand for the fragment as a whole and for its own object, where others are numbers of entries. */
const FRAGMENT = -1
const OBJECT = -2

/**
 * Gives each error to the entry whose object contains its path. One about a list that the fragment is in is about each of
 * the objects there; one about a field of the fragment's own object, of which nothing else is delivered, has an entry without
 * data. The rest say why the fragment is not complete.
 *
 * `announced` is the path with which the fragment was announced.
 */
export function placeErrors(
  id: string,
  fragment: Pick<CompletedFragment, 'entries' | 'failures'>,
  announced: Path,
  errors: readonly ResponseError[],
): { readonly incremental: readonly IncrementalEntry[]; readonly rest: readonly ResponseError[] } {
  const { entries } = fragment
  if (errors.length === 0) return { incremental: entries, rest: [] }
  const paths = entries.map(({ subPath }) => (subPath === undefined ? announced : [...announced, ...subPath]))
  const isInList = entries.some(({ subPath }) => typeof subPath?.[0] === 'number')
  const placed = place(paths, fragment.failures, errors, isInList ? null : announced)
  const incremental = entries.map((entry, index) => {
    const own = placed.get(index)
    return own === undefined ? entry : { ...entry, errors: own }
  })
  const errorsOfObject = placed.get(OBJECT)
  if (errorsOfObject !== undefined) incremental.unshift({ data: {}, id, errors: errorsOfObject })
  return { incremental, rest: placed.get(FRAGMENT) ?? [] }
}

/** By entry, of which the paths are given. `object`: path of the only object of the fragment; null if it is in a list. */
function place(
  entries: readonly Path[],
  failures: CompletedFragment['failures'],
  errors: readonly ResponseError[],
  object: Path | null,
): ReadonlyMap<number, readonly ResponseError[]> {
  const places = new Map<string, number>()
  for (const [index, path] of entries.entries()) places.set(pathKey(path, path.length), index)
  for (const { path } of failures) places.set(pathKey(path, path.length), FRAGMENT)
  const placed = new Map<number, ResponseError[]>()
  const put = (at: number, error: ResponseError): void => {
    const others = placed.get(at)
    if (others === undefined) placed.set(at, [error])
    else others.push(error)
  }
  for (const error of errors) {
    const at = placeOf(error.path ?? [], places)
    if (at !== null) put(at, error)
    // It tells why those failed that did.
    else if (failures.length > 0 || entries.length === 0) put(FRAGMENT, error)
    else for (const copy of spread(error, entries, object)) put(copy.place, copy.error)
  }
  return placed
}

/** The innermost object that contains the path. */
function placeOf(path: Path, places: ReadonlyMap<string, number>): number | null {
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(pathKey(path, length))
    if (place !== undefined) return place
  }
  return null
}

function spread(error: ResponseError, entries: readonly Path[], object: Path | null) {
  const outer: { readonly place: number; readonly path: Path }[] = []
  for (const [place, path] of entries.entries()) {
    const last = outer.at(-1)
    if (isWithin(path, error.path ?? []) && (last === undefined || !isWithin(path, last.path)))
      outer.push({ place, path })
  }
  if (outer.length === 0)
    return [{ place: object !== null && isWithin(error.path ?? [], object) ? OBJECT : FRAGMENT, error }]
  return outer.slice(0, MAX_COPIES).map(({ place, path }) => ({ place, error: { ...error, path } }))
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((segment, index) => segment === path[index])
}
