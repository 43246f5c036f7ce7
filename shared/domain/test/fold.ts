/** A log in memory for tests: commands are decided, recorded and folded as a registry does it. */
import type { RegistryEvent, RegistryRecord } from '@switchyard/contracts'
import {
  applyRecord,
  type Command,
  decide,
  type Decision,
  emptyNamespace,
  type NamespaceState,
} from '../src/index.ts'

export const URL_OF = 'http://localhost:4101/graphql'

export function sha(character: string): string {
  return character.repeat(64).slice(0, 64)
}

export function recordOf(
  state: NamespaceState,
  events: readonly RegistryEvent[],
  more: Partial<RegistryRecord> = {},
): RegistryRecord {
  return {
    v: 1,
    commandId: `command-${state.lastSequence + 1}`,
    actor: 'bootstrap',
    time: '2026-11-21T08:00:00.000Z',
    after: state.lastApplied,
    events: [...events],
    ...more,
  }
}

/** Applies events as one record each would be. */
export function fold(state: NamespaceState, ...events: readonly RegistryEvent[]): NamespaceState {
  return events.reduce(
    (current, event) => applyRecord(current, recordOf(current, [event]), current.lastSequence + 1).state,
    state,
  )
}

/** Decides and applies; throws when a command is refused. */
export function run(state: NamespaceState, ...commands: readonly Command[]): NamespaceState {
  return commands.reduce((current, command) => {
    const decision = decide(current, command)
    if (decision.kind === 'refused') throw new Error(decision.problem.detail)
    if (decision.kind === 'unchanged') return current
    return applyRecord(current, recordOf(current, decision.events), current.lastSequence + 1).state
  }, state)
}

export function refusal(decision: Decision): { code: string; detail: string; problems: readonly string[] } {
  if (decision.kind !== 'refused') throw new Error(`the command was not refused: ${decision.message}`)
  const { code, detail, problems } = decision.problem
  return { code, detail, problems: problems ?? [] }
}

/** What the command is answered with; throws when it is refused. */
export function messageOf(state: NamespaceState, command: Command): string {
  const decision = decide(state, command)
  if (decision.kind === 'refused') throw new Error(decision.problem.detail)
  return decision.message
}

export function eventsOf(state: NamespaceState, command: Command): readonly RegistryEvent[] {
  const decision = decide(state, command)
  if (decision.kind !== 'events') throw new Error(`the command writes nothing: ${decision.kind}`)
  return decision.events
}

export const publish = (name: string, content = name[0] ?? 'x'): Command => ({
  type: 'publish-schema',
  name,
  schema: sha(content.charCodeAt(0).toString(16).slice(-1)),
  bytes: 10,
})
export const subgraph = (name: string, ...labels: string[]): Command => ({
  type: 'create-subgraph',
  name,
  routingUrl: URL_OF,
  labels,
})
export const graph = (name: string, ...labelMatchers: string[]): Command => ({
  type: 'create-federated-graph',
  name,
  labelMatchers,
})
export const feature = (name: string, base: string): Command => ({
  type: 'create-feature-subgraph',
  name,
  routingUrl: URL_OF,
  base,
})
export const flag = (
  name: string,
  featureSubgraphs: string[],
  more: { enabled?: boolean; labels?: string[] } = {},
): Command => ({
  type: 'create-feature-flag',
  name,
  featureSubgraphs,
  labels: more.labels ?? [],
  enabled: more.enabled ?? false,
})

/**
 * Two published subgraphs of team A, one of team B, a graph of each team, and a feature subgraph of `orders`.
 */
export function sample(): NamespaceState {
  return run(
    emptyNamespace('default'),
    subgraph('orders', 'team=A'),
    subgraph('users', 'team=A'),
    subgraph('stock', 'team=B'),
    publish('orders'),
    publish('users'),
    publish('stock'),
    graph('shop', 'team=A'),
    graph('depot', 'team=B'),
    feature('orders-next', 'orders'),
  )
}

/** The parts of a state that a person would call its content, in comparable form. */
export function contentOf(state: NamespaceState): unknown {
  const sorted = <Value>(entries: Iterable<readonly [string, Value]>) =>
    [...entries].sort(([left], [right]) => (left < right ? -1 : 1))
  return {
    namespace: state.namespace,
    exists: state.exists,
    lastApplied: state.lastApplied,
    graphs: sorted(state.graphs),
    subgraphs: sorted(state.subgraphs),
    flags: sorted(state.flags),
    rollouts: sorted(state.rollouts),
    previews: sorted(state.previews),
    previewHosts: state.previewHosts,
    commands: sorted(state.commands),
  }
}
