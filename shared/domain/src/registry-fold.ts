/**
 * The fold over the whole log of the registry: every namespace, and the keys. Services that read this log
 * fold it with this class, so that they agree on what it says; each looks at the part that it needs.
 */
import {
  DEFAULT_NAMESPACE,
  type GraphName,
  namespaceOfSubject,
  parseRecord,
  RegistryRecord,
  SYSTEM_SUBJECT,
  SystemRecord,
} from '@switchyard/contracts'
import { applyRecord, type RecordOutcome } from './apply-record.ts'
import { emptyNamespace, type NamespaceState, sortedByName } from './state/namespace-state.ts'
import { applySystemRecord, emptySystem, type SystemState } from './system-state.ts'

/** An entry of the registry's log, its record not yet checked. */
export type RegistryEntry = {
  readonly subject: string
  readonly sequence: number
  readonly record: unknown
}

export type FoldedEntry =
  | { readonly kind: 'system' }
  | {
      readonly kind: 'namespace'
      readonly namespace: string
      readonly record: RegistryRecord
      readonly outcome: RecordOutcome
    }

/** Sequences of the record that created a graph and of the last one that affected it. */
type GraphSequences = { readonly createdAt: number; readonly lastAffected: number }

/** Names of things of one namespace. */
type PartNames = { readonly subgraphs: Iterable<string>; readonly flags: Iterable<string> }

/** The last record that changed a thing: its sequence, and its time in Unix ms. */
export type LastChange = { readonly sequence: number; readonly time: number }

export class RegistryFold {
  readonly #namespaces = new Map([[DEFAULT_NAMESPACE, emptyNamespace(DEFAULT_NAMESPACE)]])
  /** The sequences of each graph, by namespace and graph. */
  readonly #graphs = new Map<string, Map<string, GraphSequences>>()
  /** The last changes of subgraphs and flags, by namespace and by kind and name. */
  readonly #parts = new Map<string, Map<string, LastChange>>()
  #system = emptySystem()

  /** API keys, trace keys and signing keys. */
  get system(): SystemState {
    return this.#system
  }

  state(namespace: string): NamespaceState {
    return this.#namespaces.get(namespace) ?? emptyNamespace(namespace)
  }

  /** Names of those that exist, sorted. */
  namespaces(): readonly string[] {
    return [...this.#namespaces.values()]
      .filter((state) => state.exists)
      .map((state) => state.namespace)
      .sort()
  }

  /** Returns the graphs of all namespaces, sorted. */
  graphs(): readonly GraphName[] {
    return this.namespaces().flatMap((namespace) =>
      sortedByName(this.state(namespace).graphs.values()).map(({ name }) => ({ namespace, graph: name })),
    )
  }

  /** Returns the sequence of the last record that affected the graph; 0 if none did. */
  lastAffected(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.lastAffected ?? 0
  }

  /** Returns the last change of any of these things, also of deleted ones. Null if there is none. */
  lastChange(namespace: string, { subgraphs, flags }: Partial<PartNames>): LastChange | null {
    const parts = this.#parts.get(namespace)
    const keys = keysOf({ subgraphs: subgraphs ?? [], flags: flags ?? [] })
    const changes = keys.flatMap((key) => parts?.get(key) ?? [])
    return changes.reduce<LastChange | null>(
      (last, change) => (last === null || change.sequence > last.sequence ? change : last),
      null,
    )
  }

  /** The record that created the graph of that name, the last time if there were several; 0 when none did. */
  createdAt(namespace: string, graph: string): number {
    return this.#graphs.get(namespace)?.get(graph)?.createdAt ?? 0
  }

  /** Throws for an entry that is not understood; then nothing has changed. */
  apply({ subject, sequence, record: written }: RegistryEntry): FoldedEntry {
    if (subject === SYSTEM_SUBJECT) {
      this.#system = applySystemRecord(this.#system, parseRecord(SystemRecord, written), sequence)
      return { kind: 'system' }
    }
    const namespace = namespaceOfSubject(subject)
    if (namespace === null) throw new Error(`"${subject}" is not the subject of a namespace`)
    const record = parseRecord(RegistryRecord, written)
    const before = this.state(namespace)
    const { state, outcome } = applyRecord(before, record, sequence)
    this.#namespaces.set(namespace, state)
    if (outcome.kind === 'applied') {
      this.#noteAffected(namespace, record, outcome.affectedGraphs, sequence)
      const subgraphs = before.subgraphs.changedKeys(state.subgraphs)
      const flags = before.flags.changedKeys(state.flags)
      const parts = this.#parts.get(namespace) ?? new Map<string, LastChange>()
      for (const key of keysOf({ subgraphs, flags })) parts.set(key, { sequence, time: state.logTime })
      this.#parts.set(namespace, parts)
    }
    return { kind: 'namespace', namespace, record, outcome }
  }

  #noteAffected(
    namespace: string,
    { events }: RegistryRecord,
    affected: readonly string[],
    sequence: number,
  ): void {
    const graphs = this.#graphs.get(namespace) ?? new Map<string, GraphSequences>()
    const created = new Set(
      events.flatMap((event) => (event.type === 'federated-graph.created' ? [event.name] : [])),
    )
    for (const graph of affected) {
      const createdAt = created.has(graph) ? sequence : (graphs.get(graph)?.createdAt ?? 0)
      graphs.set(graph, { createdAt, lastAffected: sequence })
    }
    this.#graphs.set(namespace, graphs)
  }
}

function keysOf({ subgraphs, flags }: PartNames): readonly string[] {
  return [...[...subgraphs].map((name) => `subgraph ${name}`), ...[...flags].map((name) => `flag ${name}`)]
}
