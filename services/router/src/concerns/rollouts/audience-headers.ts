/** Lists the request headers that rollouts read, for caches between the router and its clients. */
import type { RolloutSource } from '@switchyard/contracts'

/** Headers whose names the settings choose. */
export type ReadHeaders = {
  /** Headers in which tokens are, with `Cookie` if they may be in cookies. */
  readonly token: readonly string[]
  readonly clientName: readonly string[]
  readonly clientVersion: readonly string[]
}

/** Returns the headers that properties are read from. The address is in none. */
export function audienceHeaders(sources: readonly RolloutSource[], headers: ReadHeaders): readonly string[] {
  return sources.flatMap((source) => {
    switch (source.kind) {
      case 'claim':
        return headers.token
      case 'header':
        return [source.name]
      case 'cookie':
      case 'visitor_cookie':
        return ['Cookie']
      case 'client':
        return headers.clientName
      case 'client_version':
        return [...headers.clientName, ...headers.clientVersion]
      case 'address':
        return []
      default:
        return source satisfies never
    }
  })
}
