/** Compares the representations of calls. Only calls whose representations are built alike become one. */
import type { DraftRepresentation, DraftRepresentationField } from './draft.ts'

const structures = new WeakMap<readonly DraftRepresentationField[], string>()

/** The names of a representation's fields at every level, as text; their order does not matter. */
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

/** A text that is equal for calls that send the same representations. */
export function casesText(cases: readonly DraftRepresentation[]): string {
  return cases
    .map((item) => `${item.typename}${item.anyType ? '?' : ''}:${structureOf(item.fields)}`)
    .join('|')
}

/**
 * Whether both calls send the same fields for every `__typename` that both send. What is sent with the name
 * of an interface may be of any type, so a call that does that joins no call that sends another `__typename`.
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
