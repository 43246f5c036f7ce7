/** Reads and merges what `@cacheControl` says. */
import { Kind, type ConstDirectiveNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import type { CacheHint } from './merged.ts'

/** The hint of one application. */
export function cacheHintOf(node: ConstDirectiveNode): CacheHint {
  const [maxAge, scope, inherits] = ['maxAge', 'scope', 'inheritMaxAge'].map((name) => argument(node, name))
  return {
    maxAge: maxAge?.kind === Kind.INT ? Math.max(0, Number(maxAge.value)) : null,
    isPrivate: scope?.kind === Kind.ENUM && scope.value === 'PRIVATE',
    inherits: inherits?.kind === Kind.BOOLEAN && inherits.value,
  }
}

/** The most restrictive of what is said holds, as in answers. */
export function strictest(a: CacheHint | null, b: CacheHint | null): CacheHint | null {
  if (a === null || b === null) return a ?? b
  return {
    maxAge: a.maxAge === null || b.maxAge === null ? (a.maxAge ?? b.maxAge) : Math.min(a.maxAge, b.maxAge),
    isPrivate: a.isPrivate || b.isPrivate,
    inherits: a.inherits && b.inherits,
  }
}
