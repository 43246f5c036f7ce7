/** All kinds of changes. Most of them make a graph wrong somewhere; which rule they break depends on it. */
import { FIELD_CHANGES } from './fields.ts'
import { LINK_CHANGES } from './links.ts'
import type { Change } from './nodes.ts'
import { SELECTION_CHANGES } from './selections.ts'
import { TYPE_CHANGES } from './types.ts'

export type NamedChange = { readonly name: string; readonly change: Change }

export const CHANGES: readonly NamedChange[] = Object.entries({
  ...FIELD_CHANGES,
  ...TYPE_CHANGES,
  ...SELECTION_CHANGES,
  ...LINK_CHANGES,
}).map(([name, change]) => ({ name, change }))
