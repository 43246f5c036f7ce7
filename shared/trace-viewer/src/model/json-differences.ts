/** A place where two JSON values differ. */

export type JsonDifference = {
  /** `data.products.0.name`; empty for the whole. */
  readonly path: string
  /** The value as short JSON; null where the member is absent. */
  readonly a: string | null
  readonly b: string | null
}

/** The first ones, at most `limit`. */
export function jsonDifferences(a: unknown, b: unknown, limit: number): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  const visit = (left: unknown, right: unknown, path: readonly string[]): void => {
    if (found.length >= limit || Object.is(left, right)) return
    if (hasMembers(left) && hasMembers(right) && Array.isArray(left) === Array.isArray(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
        visit(member(left, key), member(right, key), [...path, key])
      }
      return
    }
    found.push({ path: path.join('.'), a: short(left), b: short(right) })
  }
  visit(a, b, [])
  return found
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function member(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

const SHORT = 80

function short(value: unknown): string | null {
  if (value === undefined) return null
  const text = JSON.stringify(value) ?? ''
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
}
