/**
 * Subjects of logs and notices. The tokens are made by `encodeToken`; see PROTOCOL.md for who may write what.
 */
import { decodeToken, encodeToken } from './text/encode-token.ts'

export type GraphName = { readonly namespace: string; readonly graph: string }

/** Where API keys and key rotations are recorded. No namespace can have this name (it starts with `_`). */
export const SYSTEM_SUBJECT = 'registry.events._system'

export function registrySubject(namespace: string): string {
  return `registry.events.${encodeToken(namespace)}`
}
export function compositionSubject(graph: GraphName): string {
  return `compositions.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}`
}
export function configSubject(graph: GraphName): string {
  return `configs.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}`
}
/** Notice: a new manifest was projected. */
export function configNoticeSubject(graph: GraphName): string {
  return `config.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}`
}
/** Notice: heartbeat of one router. */
export function routerStatusSubject(graph: GraphName, instance: string): string {
  return `router.status.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.${encodeToken(instance)}`
}
export const ALL_ROUTER_STATUS = 'router.status.>'
/** Heartbeats of all routers of one graph. */
export function routersOf(graph: GraphName): string {
  return `router.status.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.>`
}
/** Notice: figures of one router about a guarded rollout of its graph. */
export function routerFiguresSubject(graph: GraphName, instance: string): string {
  return `router.figures.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.${encodeToken(instance)}`
}
export const ALL_ROUTER_FIGURES = 'router.figures.>'
/** Notice: results of the shadows of one router. */
export function routerDifferencesSubject(graph: GraphName, instance: string): string {
  return `router.differences.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.${encodeToken(instance)}`
}
export const ALL_ROUTER_DIFFERENCES = 'router.differences.>'
/** One minute of the usage that a router counted. */
export function routerUsageSubject(graph: GraphName, instance: string): string {
  return `router.usage.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.${encodeToken(instance)}`
}
export const ALL_ROUTER_USAGE = 'router.usage.>'
/** Notice: heartbeat of one registry. */
export function registryStatusSubject(instance: string): string {
  return `registry.status.${encodeToken(instance)}`
}
export const ALL_REGISTRY_STATUS = 'registry.status.>'
/** Notice: heartbeat of one composer. */
export function composerStatusSubject(instance: string): string {
  return `composer.status.${encodeToken(instance)}`
}
export const ALL_COMPOSER_STATUS = 'composer.status.>'

/** Namespace and graph from `compositions.<ns>.<graph>` or `configs.<ns>.<graph>`; null for anything else. */
export function graphOfSubject(subject: string): GraphName | null {
  const parts = subject.split('.')
  if (parts.length !== 3 || (parts[0] !== 'compositions' && parts[0] !== 'configs')) return null
  const namespace = decodeToken(parts[1] ?? '')
  const graph = decodeToken(parts[2] ?? '')
  return namespace === null || graph === null ? null : { namespace, graph }
}

/** Namespace from `registry.events.<ns>`; null for the system subject and anything else. */
export function namespaceOfSubject(subject: string): string | null {
  if (!subject.startsWith('registry.events.') || subject === SYSTEM_SUBJECT) return null
  return decodeToken(subject.slice('registry.events.'.length))
}
