/** Summarises a command in one line, for lists in which each command has a row. */
import type { RegistryEvent, SystemEvent } from '@switchyard/contracts'
import { isRolloutEvent, type RolloutEvent } from './state/rollout-events.ts'
import { isPreviewEvent, type PreviewEvent } from './state/preview-events.ts'
import { unreachable } from './state/unreachable.ts'

/** The number of events that are named; those beyond are only counted. */
const MOST = 3

export function summarizeEvents(events: readonly RegistryEvent[]): string {
  return summarize(events, summarizeEvent)
}

/** Summarises a change of keys. `names` are those of API keys by their ids, also of deleted ones. */
export function summarizeSystemEvents(
  events: readonly SystemEvent[],
  names: ReadonlyMap<string, string>,
): string {
  return summarize(events, (event) => summarizeSystemEvent(event, names))
}

function summarize<Event>(events: readonly Event[], phraseOf: (event: Event) => string): string {
  const told = events.length > MOST + 1 ? events.slice(0, MOST) : events
  const phrases = told.map(phraseOf)
  const rest = events.length - told.length
  return [...phrases, ...(rest === 0 ? [] : [`${rest} more changes`])].join(', ')
}

/** Returns the name of what the event is about; null if that is the namespace itself. */
export function subjectOfEvent(event: RegistryEvent): string | null {
  return 'name' in event ? event.name : null
}

function summarizeEvent(event: RegistryEvent): string {
  if (isRolloutEvent(event)) return summarizeRolloutEvent(event)
  if (isPreviewEvent(event)) return summarizePreviewEvent(event)
  switch (event.type) {
    case 'namespace.created':
      return 'namespace created'
    case 'namespace.deleted':
      return 'namespace deleted'
    case 'namespace.preview-hosts-set':
      return `hosts of previews set to ${event.hosts.length === 0 ? 'none' : event.hosts.slice(0, MOST).join(' ')}${event.hosts.length > MOST ? ' …' : ''}`
    case 'federated-graph.created':
      return `federated graph "${event.name}" created`
    case 'federated-graph.updated':
      return `federated graph "${event.name}" updated`
    case 'federated-graph.deleted':
      return `federated graph "${event.name}" deleted`
    case 'federated-graph.pinned':
      return `rolled back to revision ${event.revision}`
    case 'federated-graph.unpinned':
      return 'released'
    case 'federated-graph.republished':
      return 'republished'
    case 'subgraph.created':
      return `subgraph "${event.name}" created`
    case 'subgraph.schema-published':
      return `schema of "${event.name}" published`
    case 'subgraph.updated':
      return `subgraph "${event.name}" updated`
    case 'subgraph.deleted':
      return `subgraph "${event.name}" deleted`
    case 'feature-subgraph.created':
      return `feature subgraph "${event.name}" created`
    case 'feature-flag.created':
      return `feature flag "${event.name}" created`
    case 'feature-flag.updated':
      return `feature flag "${event.name}" updated`
    case 'feature-flag.enabled':
      return `feature flag "${event.name}" enabled`
    case 'feature-flag.disabled':
      return `feature flag "${event.name}" disabled`
    case 'feature-flag.deleted':
      return `feature flag "${event.name}" deleted`
    case 'feature-flag.launched':
      return `feature flag "${event.name}" launched`
    case 'feature-flag.launch-undone':
      return `launch of feature flag "${event.name}" undone`
    case 'documents.published':
      return `documents "${event.name}" published`
    case 'documents.deleted':
      return `documents "${event.name}" deleted`
    default:
      return unreachable(event)
  }
}

function summarizeSystemEvent(event: SystemEvent, names: ReadonlyMap<string, string>): string {
  switch (event.type) {
    case 'api-key.created':
      return `API key "${event.name}" created for ${event.scopes.join(' ')}`
    case 'api-key.deleted':
      return `API key "${names.get(event.id) ?? event.id}" deleted`
    case 'trace-key.created':
      return `trace key "${event.jwk.kid}" created`
    case 'trace-key.retired':
      return `trace key "${event.kid}" retired`
    case 'signing-key.created':
      return `signing key "${event.jwk.kid}" created`
    case 'signing-key.retired':
      return `signing key "${event.kid}" retired`
    default:
      return unreachable(event)
  }
}

function summarizeRolloutEvent(event: RolloutEvent): string {
  switch (event.type) {
    case 'rollout.created':
      return `rollout "${event.name}" created with ${event.percent} percent${event.mode === 'shadow' ? ', only to compare' : ''}`
    case 'rollout.updated':
      return `rollout "${event.name}" ${updatePhrase(event)}`
    case 'rollout.ramped':
      return `ramp of rollout "${event.name}" begun with ${event.steps[0] ?? 0} percent`
    case 'rollout.advanced':
      return `ramp of rollout "${event.name}" went on to step ${event.step + 1}`
    case 'rollout.paused':
      return `ramp of rollout "${event.name}" paused`
    case 'rollout.ramp-ended':
      return `ramp of rollout "${event.name}" ended`
    case 'rollout.aborted':
      return `rollout "${event.name}" aborted`
    case 'rollout.resumed':
      return `rollout "${event.name}" resumed`
    case 'rollout.completed':
      return `rollout "${event.name}" completed`
    case 'rollout.deleted':
      return `rollout "${event.name}" deleted`
    default:
      return unreachable(event)
  }
}

function updatePhrase({
  percent,
  mode,
}: Extract<RolloutEvent, { readonly type: 'rollout.updated' }>): string {
  const phrases = [
    ...(percent === undefined ? [] : [`set to ${percent} percent`]),
    ...(mode === undefined ? [] : [`set to mode ${mode}`]),
  ]
  return phrases.length === 0 ? 'updated' : phrases.join(' and ')
}

function summarizePreviewEvent({ type, name }: PreviewEvent): string {
  switch (type) {
    case 'preview.created':
      return `preview "${name}" created`
    case 'preview.updated':
      return `preview "${name}" updated`
    case 'preview.deleted':
      return `preview "${name}" deleted`
    case 'preview.expired':
      return `preview "${name}" ended`
    default:
      return unreachable(type)
  }
}
