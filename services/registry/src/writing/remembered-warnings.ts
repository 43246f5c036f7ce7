/**
 * The warnings of a command of which only the events are left. What a publish warned of because it named a
 * routing URL or labels that the subgraph did not take is not among them: no event tells what was asked for
 * in vain.
 */
import type { RegistryEvent } from '@switchyard/contracts'
import {
  type Command,
  commandWarnings,
  isRolloutEvent,
  type NamespaceState,
  type RolloutEvent,
} from '@switchyard/domain'

export function rememberedWarnings(
  state: NamespaceState,
  events: readonly RegistryEvent[],
  affectedGraphs: readonly string[],
): readonly string[] {
  const warnings = events.flatMap((event) => {
    const command = commandOf(event)
    return command === null ? [] : commandWarnings(state, command, affectedGraphs)
  })
  return [...new Set(warnings)]
}

type EventOfPreviews = Extract<
  RegistryEvent,
  { readonly type: `preview.${string}` | 'namespace.preview-hosts-set' }
>

function isOfPreviews(event: RegistryEvent): event is EventOfPreviews {
  return event.type.startsWith('preview.') || event.type === 'namespace.preview-hosts-set'
}

/** Null for what nobody is warned of. */
function commandOf(event: RegistryEvent): Command | null {
  if (isRolloutEvent(event)) return rolloutCommandOf(event)
  if (isOfPreviews(event)) return null
  switch (event.type) {
    case 'federated-graph.created':
      return { ...event, type: 'create-federated-graph' }
    case 'federated-graph.updated':
      return { ...event, type: 'update-federated-graph' }
    case 'federated-graph.deleted':
      return { ...event, type: 'delete-federated-graph' }
    case 'federated-graph.republished':
      return { ...event, type: 'republish-federated-graph' }
    case 'federated-graph.unpinned':
      return { ...event, type: 'unpin-federated-graph' }
    case 'subgraph.schema-published':
      return { ...event, type: 'publish-schema' }
    case 'subgraph.updated': {
      const { name, routingUrl, labels } = event
      return {
        type: 'update-subgraph',
        name,
        ...(routingUrl === undefined ? {} : { routingUrl }),
        ...(labels === undefined ? {} : { labels }),
      }
    }
    case 'subgraph.deleted':
      return { ...event, type: 'delete-subgraph' }
    case 'feature-flag.created':
      return { ...event, type: 'create-feature-flag' }
    case 'feature-flag.updated':
      return { type: 'update-feature-flag', name: event.name }
    case 'feature-flag.enabled':
      return { ...event, type: 'enable-feature-flag' }
    case 'feature-flag.launched':
      return { type: 'promote-feature-flag', name: event.name }
    case 'feature-flag.launch-undone':
      return { type: 'undo-promotion', name: event.name }
    case 'namespace.deleted':
      return { type: 'delete-namespace' }
    case 'namespace.created':
    case 'federated-graph.pinned':
    case 'documents.published':
    case 'documents.deleted':
    case 'subgraph.created':
    case 'feature-subgraph.created':
    case 'feature-flag.disabled':
    case 'feature-flag.deleted':
      return null
    default:
      return event satisfies never
  }
}

function rolloutCommandOf(event: RolloutEvent): Command | null {
  switch (event.type) {
    case 'rollout.created':
      return { ...event, type: 'create-rollout', freshSalt: '' }
    case 'rollout.updated':
      return { type: 'update-rollout', name: event.name }
    case 'rollout.ramped':
      return { type: 'ramp-rollout', name: event.name, plan: event }
    case 'rollout.resumed':
      return { type: 'resume-rollout', name: event.name }
    case 'rollout.completed':
      return { type: 'complete-rollout', name: event.name }
    case 'rollout.advanced':
    case 'rollout.paused':
    case 'rollout.ramp-ended':
    case 'rollout.aborted':
    case 'rollout.deleted':
      return null
    default:
      return event satisfies never
  }
}
