import type { Path } from './client-paths.ts'
import type { IncrementalEntry, ResponseError } from './contract.ts'
import { MAX_COPIES } from './error-paths.ts'
import type { CompletedFragment, DeliveredPart } from './fragment-completion.ts'
import { pathKey } from './result-errors.ts'

/** Stands for the fragment as a whole, where others are numbers of entries. */
const FRAGMENT = -1

/**
 * Gives each error to the entry whose object contains its path. One about a list that the fragment is in is about each of
 * the objects there. The rest say why the fragment is not complete.
 *
 * `depth` is the length of the path at which the fragment was announced.
 */
export function placeErrors(
  id: string,
  depth: number,
  fragment: CompletedFragment,
  errors: readonly ResponseError[],
): { readonly incremental: readonly IncrementalEntry[]; readonly rest: readonly ResponseError[] } {
  const { parts, failures } = fragment
  const places = new Map<string, number>()
  for (const [index, { path }] of parts.entries()) places.set(pathKey(path, path.length), index)
  for (const { path } of failures) places.set(pathKey(path, path.length), FRAGMENT)
  const placed = Map.groupBy(
    errors.flatMap((error) => {
      const place = placeOf(error.path ?? [], places)
      return place === null ? spread(error, fragment) : [{ place, error }]
    }),
    ({ place }) => place,
  )
  const errorsAt = (place: number) => placed.get(place)?.map(({ error }) => error)
  const incremental = parts.map(({ path, data }, index): IncrementalEntry => {
    const own = errorsAt(index)
    return {
      data,
      id,
      ...(path.length > depth ? { subPath: path.slice(depth) } : {}),
      ...(own === undefined ? {} : { errors: own }),
    }
  })
  return { incremental, rest: errorsAt(FRAGMENT) ?? [] }
}

/** The innermost object that contains the path. */
function placeOf(path: Path, places: ReadonlyMap<string, number>): number | null {
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(pathKey(path, length))
    if (place !== undefined) return place
  }
  return null
}

function spread(error: ResponseError, { parts, failures }: CompletedFragment) {
  // It tells why those failed that did.
  if (failures.length > 0 || parts.length === 0) return [{ place: FRAGMENT, error }]
  const outer: { readonly place: number; readonly path: Path }[] = []
  for (const [place, { path }] of parts.entries()) {
    const last = outer.at(-1)
    if (isWithin(path, error.path ?? []) && (last === undefined || !isWithin(path, last.path)))
      outer.push({ place, path })
  }
  return outer.length === 0
    ? [{ place: 0, error }]
    : outer.slice(0, MAX_COPIES).map(({ place, path }) => ({ place, error: { ...error, path } }))
}

function isWithin(path: DeliveredPart['path'], outer: Path): boolean {
  return outer.every((segment, index) => segment === path[index])
}
