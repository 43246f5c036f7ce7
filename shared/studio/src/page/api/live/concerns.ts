/** Decides which answers of the API an event of the live connection makes old. */
import type { LiveEvent } from '@switchyard/contracts'

/** A path as the API names it, and the values that were asked for in it and behind it. */
export type Asked = {
  readonly path: string
  readonly names: Readonly<Record<string, unknown>>
}

/** Paths that are about routers, by what their answers tell: states, revisions, or how many there are. */
const OF_FLEET =
  /^\/v1\/(?:routers|services|graphs\/\{namespace\}(?:\/\{name\})?|feature-flags\/.*|rollouts\/.*|previews\/.*)$/
/** Paths whose answers only requests of clients change, or only routers that come and go. */
const BY_REQUESTS = /^\/v1\/(?:figures|usage)\/|\/figures$|\/differences$|^\/v1\/services$/
const OF_KEYS = /^\/v1\/(?:api-keys|trace-keys)/
const OF_ONE_GRAPH = /^\/v1\/graphs\/\{namespace\}\/\{name\}/

/** Reads what a key of the cache asks for. Returns null if it is not the key of a path. */
export function askedBy([kind, path, address]: readonly unknown[]): Asked | null {
  if (kind !== 'read' || typeof path !== 'string') return null
  const { path: names = {}, query = {} } = (address ?? {}) as {
    path?: Record<string, unknown>
    query?: Record<string, unknown>
  }
  return { path, names: { ...query, ...names } }
}

export function concerns(event: LiveEvent, { path, names }: Asked): boolean {
  switch (event.kind) {
    case 'hello':
      return event.missed
    case 'changed':
      // Commands of no namespace are about keys, or about namespaces themselves.
      if (event.namespace === null) return !BY_REQUESTS.test(path)
      if (BY_REQUESTS.test(path) || OF_KEYS.test(path)) return false
      return isOfNamespace(event.namespace, names) && isOfOneOf(event.graphs, path, names)
    case 'composed':
    case 'published':
      if (BY_REQUESTS.test(path) || OF_KEYS.test(path) || path === '/v1/namespaces') return false
      return isOfNamespace(event.namespace, names) && isOfOneOf([event.graph], path, names)
    case 'fleet':
      return OF_FLEET.test(path)
    case 'figures':
      return false
    default:
      return event satisfies never
  }
}

function isOfNamespace(namespace: string, names: Asked['names']): boolean {
  const asked = names['namespace']
  return asked === undefined || asked === namespace
}

/** Whether the answer may be about one of the graphs. Without any, commands may concern all of them. */
function isOfOneOf(graphs: readonly string[], path: string, names: Asked['names']): boolean {
  const asked = OF_ONE_GRAPH.test(path) ? names['name'] : names['graph']
  return graphs.length === 0 || asked === undefined || graphs.some((graph) => graph === asked)
}
