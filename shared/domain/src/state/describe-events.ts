/**
 * Describes the effect of a record in the words that its writer is answered with, the same for the first
 * answer and for a repetition.
 */
import type { PromotedSubgraph, RegistryEvent } from '@switchyard/contracts'
import { applyEvent } from './apply-event.ts'
import { type NamespaceState, type Rollout, sortedByName } from './namespace-state.ts'
import { describeRolloutEvent } from './describe-rollout-events.ts'
import { isRolloutEvent } from './rollout-events.ts'
import { isPreviewEvent, type PreviewEvent } from './preview-events.ts'
import { unreachable } from './unreachable.ts'

/** The number of events that are described. Nobody reads the rest of a longer list. */
const MOST = 50

/** Describes events, each in a line if there are several. `before` is the state that the events change. */
export function describeEvents(events: readonly RegistryEvent[], before: NamespaceState): string {
  let state = before
  const sentences = events.slice(0, MOST).map((event) => {
    const sentence = describeEvent(event, state)
    state = applyEvent(state, event)
    return sentence
  })
  if (events.length > MOST) sentences.push(`… and ${events.length - MOST} more changes.`)
  return sentences.join(events.length > 2 ? '\n' : ' ')
}

export function createsSomething(events: readonly RegistryEvent[]): boolean {
  return events.some((event) => event.type.endsWith('.created'))
}

function describeEvent(event: RegistryEvent, before: NamespaceState): string {
  if (isRolloutEvent(event)) return describeRolloutEvent(event, before)
  if (isPreviewEvent(event)) return describePreviewEvent(event, before)
  switch (event.type) {
    case 'namespace.created':
      return `Namespace "${before.namespace}" was created.`
    case 'namespace.deleted':
      return `Namespace "${before.namespace}" was deleted with everything in it.`
    case 'namespace.preview-hosts-set':
      return event.hosts.length === 0
        ? `Namespace "${before.namespace}" allows no new previews any more.`
        : `Namespace "${before.namespace}" allows previews whose subgraphs are at ${event.hosts.join(', ')}.`
    case 'federated-graph.created':
      return `Federated graph "${event.name}" was created.`
    case 'federated-graph.updated':
      return `Federated graph "${event.name}" was updated.`
    case 'federated-graph.deleted':
      return `Federated graph "${event.name}" was deleted${along(before, ({ graph }) => graph === event.name)}.`
    case 'federated-graph.pinned':
      return `Federated graph "${event.name}" is held on revision ${event.revision}.`
    case 'federated-graph.unpinned':
      return `Federated graph "${event.name}" follows the newest revision again.`
    case 'federated-graph.republished':
      return `Federated graph "${event.name}" is published once more with the same content.`
    case 'subgraph.created':
      return `Subgraph "${event.name}" was created.`
    case 'subgraph.schema-published':
      return `The schema of "${event.name}" was published.`
    case 'subgraph.updated':
      return `Subgraph "${event.name}" was updated.`
    case 'subgraph.deleted':
      return describeDeletion(event.name, before)
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
      return `Feature flag "${event.name}" was deleted${along(before, ({ flag }) => flag === event.name)}.`
    case 'feature-flag.launched':
      return `Feature flag "${event.name}" was launched: ${promotedPhrase(event.promoted)}.`
    case 'feature-flag.launch-undone':
      return `The launch of feature flag "${event.name}" was undone: it is served beside the base again.`
    case 'documents.published': {
      const those = event.documents === 1 ? '1 document' : `${event.documents} documents`
      return `Manifest "${event.name}" with ${those} was published for federated graph "${event.graph}".`
    }
    case 'documents.deleted':
      return `Manifest "${event.name}" of federated graph "${event.graph}" was deleted.`
    default:
      return unreachable(event)
  }
}

function describePreviewEvent(event: PreviewEvent, before: NamespaceState): string {
  const { name } = event
  switch (event.type) {
    case 'preview.created':
      return `Preview "${name}" was created: requests name "${event.flag}". It ends at ${event.expires}.`
    case 'preview.updated': {
      const known = before.previews.get(name)
      const end = event.expires ?? known?.expires
      return `Preview "${name}" was updated: requests name "${known?.flag}". It ends at ${end}.`
    }
    case 'preview.deleted':
      return `Preview "${name}" was deleted.`
    case 'preview.expired':
      return `Preview "${name}" has ended.`
    default:
      return unreachable(event)
  }
}

/** Names the subgraphs that a promotion changed, as the end of a sentence. */
function promotedPhrase(promoted: readonly PromotedSubgraph[]): string {
  const phrases = promoted.map(
    ({ subgraph, featureSubgraph }) => `"${featureSubgraph}" is published as "${subgraph}"`,
  )
  return phrases.join(', ')
}

/** Names the rollouts that are deleted along with something, as the end of a sentence. */
function along(before: NamespaceState, isGone: (rollout: Rollout) => boolean): string {
  const gone = sortedByName(before.rollouts.values()).filter(isGone)
  if (gone.length === 0) return ''
  return `, and with it the rollout${gone.length === 1 ? '' : 's'} ${quoted(gone.map(({ name }) => name))}`
}

/**
 * Describes a deletion together with what was deleted along with it: nobody should find out later that a flag
 * became empty.
 */
function describeDeletion(name: string, before: NamespaceState): string {
  if (before.subgraphs.get(name)?.kind === 'feature-subgraph') {
    return [`Feature subgraph "${name}" was deleted.`, ...describeLosses([name], before)].join(' ')
  }
  const replacements = sortedByName(before.subgraphs.values())
    .filter((subgraph) => subgraph.kind === 'feature-subgraph' && subgraph.base === name)
    .map((subgraph) => subgraph.name)
  const replaced =
    replacements.length === 0
      ? ''
      : `, and with it the feature subgraphs that replace it: ${quoted(replacements)}`
  return [`Subgraph "${name}" was deleted${replaced}.`, ...describeLosses(replacements, before)].join(' ')
}

function describeLosses(gone: readonly string[], before: NamespaceState): readonly string[] {
  return sortedByName(before.flags.values()).flatMap(({ name, featureSubgraphs }) => {
    const lost = featureSubgraphs.filter((member) => gone.includes(member))
    if (lost.length === 0) return []
    const isEmpty = lost.length === featureSubgraphs.length
    return [
      `Feature flag "${name}" lost ${quoted(lost)}${isEmpty ? ' and has no member left: it composes nothing until it is updated' : ''}.`,
    ]
  })
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
