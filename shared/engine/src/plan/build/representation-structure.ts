/** Compares the representations that calls send. Only calls that send alike can be made as one. */
import type { DraftRepresentation, DraftRepresentationField } from './draft.ts'

const structures = new WeakMap<readonly DraftRepresentationField[], string>()

/** Names of the fields a representation holds, at every level; the order does not matter. */
export function structureOf(fields: readonly DraftRepresentationField[]): string {
  let text = structures.get(fields)
  if (text === undefined) {
    text = fields
      .map((field) =>
        field.kind === 'leaf'
          ? field.name
          : `${field.name}{${field.cases.map((item) => `${item.typename}:${structureOf(item.fields)}`).join(';')}}`,
      )
      .sort()
      .join(',')
    structures.set(fields, text)
  }
  return text
}

/** Equal texts: the same representations are sent. */
export function casesText(cases: readonly DraftRepresentation[]): string {
  return cases
    .map((item) => `${item.typename}${item.anyType ? '?' : ''}:${structureOf(item.fields)}`)
    .join('|')
}

/**
 * For every `__typename` both send, the same fields. One sent under an interface's name may turn out to be of
 * any type, so it must not meet selections that another one's representations are made for.
 */
export function sameRepresentations(
  a: readonly DraftRepresentation[],
  b: readonly DraftRepresentation[],
): boolean {
  const first = byTypename(a)
  const second = byTypename(b)
  for (const [typename, { structures: own }] of first) {
    const other = second.get(typename)
    if (other !== undefined && new Set([...own, ...other.structures]).size > 1) return false
  }
  return staysAlone(first, second) && staysAlone(second, first)
}

type SentFields = { readonly structures: Set<string>; anyType: boolean }

function byTypename(cases: readonly DraftRepresentation[]): ReadonlyMap<string, SentFields> {
  const result = new Map<string, SentFields>()
  for (const item of cases) {
    const known = result.get(item.typename) ?? { structures: new Set(), anyType: false }
    known.structures.add(structureOf(item.fields))
    known.anyType ||= item.anyType
    result.set(item.typename, known)
  }
  return result
}

function staysAlone(sent: ReadonlyMap<string, SentFields>, others: ReadonlyMap<string, SentFields>): boolean {
  for (const [typename, { anyType }] of sent)
    if (anyType && [...others.keys()].some((other) => other !== typename)) return false
  return true
}
