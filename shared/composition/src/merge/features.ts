/** Which directives of specifications a merged graph uses. Its supergraph defines these, and links them. */
import type { MergedApplied, MergedGraph, MergedType } from './merged.ts'

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

/** The features that something of the graph uses. */
export function usedFeatures({ types }: MergedGraph): ReadonlySet<Feature> {
  const used = new Set<Feature>()
  const left = new Map(USES)
  for (const type of types.values())
    for (const applied of appliedIn(type))
      for (const [feature, isUsed] of left)
        if (isUsed(applied)) {
          used.add(feature)
          left.delete(feature)
        }
  return used
}

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
