/** A place where two JSON values differ. */

export type JsonDifference = {
  /** `data.products.0.name`; empty for the whole. */
  readonly path: string
  /** The value as short JSON; null where the member is absent. */
  readonly a: string | null
  readonly b: string | null
}

/** The members that may still be looked at, counted down. */
export type Budget = { members: number }

/** The first ones, at most `limit`. */
export function jsonDifferences(a: unknown, b: unknown, limit: number): readonly JsonDifference[] {
  return boundedDifferences(a, b, limit, { members: Number.POSITIVE_INFINITY }) ?? []
}

/** Returns what `jsonDifferences` does; null if the budget does not suffice to know. */
export function boundedDifferences(
  a: unknown,
  b: unknown,
  limit: number,
  budget: Budget,
): readonly JsonDifference[] | null {
  const found: JsonDifference[] = []
  const isOver = () => found.length >= limit || budget.members < 0
  const visit = (left: unknown, right: unknown, path: Path | null): void => {
    budget.members -= 1
    if (isOver() || Object.is(left, right)) return
    if (hasMembers(left) && hasMembers(right) && Array.isArray(left) === Array.isArray(right)) {
      for (const name of namesOf(left, right)) {
        if (isOver()) return
        visit(member(left, name), member(right, name), { before: path, name })
      }
      return
    }
    found.push({ path: pathText(path), a: short(left), b: short(right) })
  }
  visit(a, b, null)
  return budget.members < 0 && found.length < limit ? null : found
}

/** A path from its end. Most are never written, since the values there are the same. */
type Path = { readonly before: Path | null; readonly name: string | number }

function pathText(path: Path | null): string {
  const names: (string | number)[] = []
  for (let at = path; at !== null; at = at.before) names.push(at.name)
  return names.toReversed().join('.')
}

/** Returns the names of the members of both. They come one by one, since there may be millions. */
function* namesOf(a: object, b: object): Generator<string | number> {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) yield index
    return
  }
  for (const name in a) if (Object.hasOwn(a, name)) yield name
  for (const name in b) if (Object.hasOwn(b, name) && !Object.hasOwn(a, name)) yield name
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function member(value: object, name: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

const SHORT = 80

function short(value: unknown): string | null {
  if (value === undefined) return null
  const text = JSON.stringify(value) ?? ''
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
}
