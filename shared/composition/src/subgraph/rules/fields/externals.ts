/** Rule: `@external` marks fields of object types, and leaves to others what they say of the field. */
import { finding, newFinding } from '../../../findings/finding.ts'
import { appliedTo } from '../../../model/read-types.ts'
import { writtenName, type Rule } from '../../checked/checked-subgraph.ts'

/** Directives of a field that the supergraph takes from whoever resolves it. */
const MERGED: ReadonlySet<string> = new Set(['tag', 'inaccessible'])
/** More of them. Versions before took these on external fields, as they took directives that are composed. */
const MERGED_SINCE: ReadonlySet<string> = new Set([
  'authenticated',
  'requiresScopes',
  'policy',
  'cost',
  'listSize',
  'cacheTag',
])

/**
 * Finds external fields of interfaces, and merged directives on external fields. Federation 1 ignores both.
 */
export const externals: Rule = function* externals({ model, fieldsTypes }) {
  if (model.minor === null) return
  for (const type of fieldsTypes) {
    for (const { name, applied, isExternal } of type.fields.values()) {
      if (!isExternal) continue
      const field = `${writtenName(type)}.${name}`
      const node = appliedTo(applied, 'external')
      if (type.kind === 'interface') {
        if (node !== undefined) yield finding('EXTERNAL_ON_INTERFACE', { field }, [{ node }])
        continue
      }
      for (const { name: directive, isComposed, node: merged } of applied) {
        const isSince = isComposed || MERGED_SINCE.has(directive)
        if (!isSince && !MERGED.has(directive)) continue
        const written = isComposed ? merged.name.value : directive
        const found = finding('MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL', { field, directive: written }, [
          { node: merged },
        ])
        yield isSince ? newFinding(found) : found
      }
    }
  }
}
