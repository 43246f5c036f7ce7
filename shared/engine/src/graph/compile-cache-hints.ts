/**
 * Reads how long answers may be kept: `@cacheControl`, as composition wrote it into the supergraph
 * (https://www.apollographql.com/docs/apollo-server/performance/caching).
 */
import { Kind } from 'graphql'
import type { CacheHint, CompiledCacheHints } from './compiled/compiled-graph.ts'
import {
  argumentOf,
  directivesOf,
  flagArgument,
  type NodeWithDirectives,
  textArgument,
} from './header/directives.ts'
import type { SupergraphHeader } from './header/header.ts'

const CACHE_CONTROL = 'cacheControl'

/** Compiles the `@cacheControl` directives of a supergraph. Returns null if it applies none. */
export function compileCacheHints({
  definitions,
}: Pick<SupergraphHeader, 'definitions'>): CompiledCacheHints | null {
  const types = new Map<string, CacheHint>()
  const fields = new Map<string, CacheHint>()
  for (const [name, definition] of definitions) {
    if (
      definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
      definition.kind !== Kind.INTERFACE_TYPE_DEFINITION &&
      definition.kind !== Kind.UNION_TYPE_DEFINITION
    )
      continue
    const ofType = hintOf(definition)
    if (ofType !== null) types.set(name, ofType)
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) continue
    for (const field of definition.fields ?? []) {
      const hint = hintOf(field)
      if (hint !== null) fields.set(`${name}.${field.name.value}`, hint)
    }
  }
  return types.size + fields.size === 0 ? null : { types, fields }
}

function hintOf(node: NodeWithDirectives): CacheHint | null {
  const [applied] = directivesOf(node, CACHE_CONTROL)
  if (applied === undefined) return null
  const maxAge = argumentOf(applied, 'maxAge')
  return {
    maxAge: maxAge?.kind === Kind.INT ? Math.max(0, Number(maxAge.value)) : null,
    isPrivate: textArgument(applied, 'scope') === 'PRIVATE',
    inherits: flagArgument(applied, 'inheritMaxAge', false),
  }
}
