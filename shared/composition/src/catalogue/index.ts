/** All codes of findings: their facts, their sentences, and what docs/errors.md says of them. */
import type { Entry } from './entry.ts'
import { EVENTS } from './events.ts'
import { FIELD_SETS } from './field-sets.ts'
import { FIELDS_AND_TYPES } from './fields-and-types.ts'
import { HINTS } from './hints.ts'
import { INVALID_GRAPHQL } from './invalid-graphql.ts'
import { HIDDEN } from './hidden.ts'
import { LINKS } from './links.ts'
import { LIST_SIZES } from './list-sizes.ts'
import { SHARED_FIELDS } from './shared-fields.ts'
import { SHARED_TYPES } from './shared-types.ts'
import { SHARING } from './sharing.ts'
import { UNREACHABLE } from './unreachable.ts'

const ENTRIES = {
  ...INVALID_GRAPHQL,
  ...LINKS,
  ...FIELD_SETS,
  ...FIELDS_AND_TYPES,
  ...LIST_SIZES,
  ...EVENTS,
  ...SHARED_FIELDS,
  ...SHARED_TYPES,
  ...SHARING,
  ...HIDDEN,
  ...HINTS,
  ...UNREACHABLE,
}

/** A code of the catalogue. */
export type Code = keyof typeof ENTRIES

/** The facts of each code. */
export type Facts = { readonly [C in Code]: Parameters<(typeof ENTRIES)[C]['says']>[0] }

/** The entries, typed so that a code and its facts stay together. */
export const CATALOGUE: { readonly [C in Code]: Entry<Facts[C]> } = ENTRIES
