/** Which directives of specifications a merged graph uses. Its supergraph defines these, and links them. */
import { NOTHING_APPLIED } from './merge-applied.ts'
import type { MergedApplied, MergedType } from './merged.ts'

/** A specification by its main directive; `cost` has `listSize` as well. */
export type Feature =
  | 'tag'
  | 'cost'
  | 'inaccessible'
  | 'policy'
  | 'requiresScopes'
  | 'authenticated'
  | 'oneOf'

const USES: readonly (readonly [Feature, (applied: MergedApplied) => boolean])[] = [
  ['tag', ({ tags }) => tags.length > 0],
  ['cost', ({ cost, listSize }) => cost !== null || listSize !== null],
  ['inaccessible', ({ isInaccessible }) => isInaccessible],
  ['policy', ({ access }) => access.policies.length > 0],
  ['requiresScopes', ({ access }) => access.scopes.length > 0],
  ['authenticated', ({ access }) => access.isAuthenticated],
  ['oneOf', ({ isOneOf }) => isOneOf],
]

/** The features that something of a type uses. */
export function featuresOf(type: MergedType): readonly Feature[] {
  const used = new Set<Feature>()
  for (const applied of appliedIn(type))
    if (applied !== NOTHING_APPLIED)
      for (const [feature, isUsed] of USES) if (isUsed(applied)) used.add(feature)
  return used.size === 0 ? NOTHING : [...used]
}

const NOTHING: readonly never[] = []

function* appliedIn(type: MergedType): Iterable<MergedApplied> {
  yield type.applied
  if (type.kind === 'enum') for (const { applied } of type.values) yield applied
  if (type.kind === 'input') for (const { applied } of type.fields) yield applied
  if (type.kind !== 'object' && type.kind !== 'interface') return
  for (const field of type.fields) {
    yield field.applied
    for (const { applied } of field.arguments) yield applied
  }
}
