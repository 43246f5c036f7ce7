/** Writes `@cacheControl`, which is no directive of a specification that supergraphs link. */
import type { MergedApplied, MergedGraph, MergedType } from '../merge/merged.ts'

/** How hints are written: not at all where `@composeDirective` already brings the directive. */
export type CacheControl = 'composed' | 'with scope' | 'without scope'

const NAME = 'cacheControl'
const SCOPE = 'CacheControlScope'

/** The way in which a graph can hold hints. A scope needs the enum that the subgraphs declare for it. */
export function cacheControlOf({ directives, types }: MergedGraph): CacheControl {
  if (directives.has(NAME)) return 'composed'
  return types.get(SCOPE)?.kind === 'enum' ? 'with scope' : 'without scope'
}

/** The hint of a definition as a text; none if there is nothing to write. */
export function printCacheHint({ cache }: MergedApplied, how: CacheControl): readonly string[] {
  if (cache === null || how === 'composed') return []
  const { maxAge, isPrivate, inherits } = cache
  const given = [
    ...(maxAge === null ? [] : [`maxAge: ${String(maxAge)}`]),
    ...(isPrivate && how === 'with scope' ? ['scope: PRIVATE'] : []),
    ...(inherits ? ['inheritMaxAge: true'] : []),
  ]
  return [given.length === 0 ? `@${NAME}` : `@${NAME}(${given.join(', ')})`]
}

/** The definition of the directive; none if no hint is written. */
export function printCacheControl(how: CacheControl, isUsed: boolean): readonly string[] {
  if (how === 'composed' || !isUsed) return []
  const scope = how === 'with scope' ? `, scope: ${SCOPE}` : ''
  return [
    `directive @${NAME}(maxAge: Int${scope}, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION`,
  ]
}

/** True if a type, or a field of it, has a hint. */
export function hasHint(type: MergedType): boolean {
  if (type.applied.cache !== null) return true
  if (type.kind !== 'object' && type.kind !== 'interface') return false
  return type.fields.some(({ applied }) => applied.cache !== null)
}
