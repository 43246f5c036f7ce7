/** What a record did, in the words that its writer is answered with: the same for the first answer and for a repetition. */
import type { RegistryEvent } from '@switchyard/contracts'
import { unreachable } from './unreachable.ts'

export function describeEvents(events: readonly RegistryEvent[], namespace: string): string {
  return events.map((event) => describeEvent(event, namespace)).join(' ')
}

export function createsSomething(events: readonly RegistryEvent[]): boolean {
  return events.some((event) => event.type.endsWith('.created'))
}

function describeEvent(event: RegistryEvent, namespace: string): string {
  switch (event.type) {
    case 'namespace.created':
      return `Namespace "${namespace}" was created.`
    case 'namespace.deleted':
      return `Namespace "${namespace}" was deleted with everything in it.`
    case 'federated-graph.created':
      return `Federated graph "${event.name}" was created.`
    case 'federated-graph.updated':
      return `Federated graph "${event.name}" was updated.`
    case 'federated-graph.deleted':
      return `Federated graph "${event.name}" was deleted.`
    case 'federated-graph.pinned':
      return `Federated graph "${event.name}" is held on revision ${event.revision}.`
    case 'federated-graph.unpinned':
      return `Federated graph "${event.name}" follows the newest revision again.`
    case 'subgraph.created':
      return `Subgraph "${event.name}" was created.`
    case 'subgraph.schema-published':
      return `The schema of "${event.name}" was published.`
    case 'subgraph.updated':
      return `Subgraph "${event.name}" was updated.`
    case 'subgraph.deleted':
      return `Subgraph "${event.name}" was deleted.`
    case 'feature-subgraph.created':
      return `Feature subgraph "${event.name}" was created; it replaces "${event.base}".`
    case 'feature-flag.created':
      return `Feature flag "${event.name}" was created ${event.enabled ? 'enabled' : 'disabled'}.`
    case 'feature-flag.updated':
      return `Feature flag "${event.name}" was updated.`
    case 'feature-flag.enabled':
      return `Feature flag "${event.name}" was enabled.`
    case 'feature-flag.disabled':
      return `Feature flag "${event.name}" was disabled.`
    case 'feature-flag.deleted':
      return `Feature flag "${event.name}" was deleted.`
    default:
      return unreachable(event)
  }
}
