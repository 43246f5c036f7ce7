/** The fields that stand in the keys of a type. */
import type { FieldsType, Key } from '../model/model.ts'
import { topLevelFields } from '../model/field-sets.ts'

/** A type may have as many keys as fields, so its keys are read once for all of its fields. */
const NAMES = new WeakMap<readonly Key[], ReadonlySet<string>>()

/** The names of the fields that the keys of a type have at their first level. */
export function keyNames({ keys }: Pick<FieldsType, 'keys'>): ReadonlySet<string> {
  const known = NAMES.get(keys)
  if (known !== undefined) return known
  const found = new Set(
    keys.flatMap(({ fields }) => topLevelFields(fields.set).map(({ name }) => name.value)),
  )
  NAMES.set(keys, found)
  return found
}
